"""Faults, kills, crowds and old databases: a sample of what tests/faults/sweep.py does whole (`cmake --build --preset dev --target faults`)."""
import os
import sys
import unittest

import harness

sys.path.insert(0, os.path.join(harness.ROOT, "tests"))
from faults import sweep  # noqa: E402


PARTS = 6  # each is a test of its own, within the time that one may take on a busy machine


@harness.once
@unittest.skipIf(harness.COVERED, "counts of coverage are files as well, which the faults would hit: .ci/run takes these tests with the release")
class Faults(unittest.TestCase):
    """The library that makes calls fail is not built for the sanitizers, which stand before the same calls."""

    def setUp(self):
        self.world = sweep.World()
        self.addCleanup(self.world.close)

    def some(self, part, of):
        table, findings = sweep.sweep(self.world, 0, self.world.jobs[part::of])
        self.assertEqual(findings, [])
        self.assertGreater(sum(row["injected"] for row in table.values()), 4 * len(table))

    def test_calls_that_fail_in_a_sixth_of_the_commands(self):
        self.some(0, PARTS)

    def test_calls_that_fail_in_a_second_sixth(self):
        self.some(1, PARTS)

    def test_calls_that_fail_in_a_third_sixth(self):
        self.some(2, PARTS)

    def test_calls_that_fail_in_a_fourth_sixth(self):
        self.some(3, PARTS)

    def test_calls_that_fail_in_a_fifth_sixth(self):
        self.some(4, PARTS)

    def test_calls_that_fail_in_the_last_sixth(self):
        self.some(5, PARTS)

    def test_no_file_of_a_tree_is_left_out_in_silence(self):
        """Each look at a file fails once: the sample above hits few of them."""
        for job in self.world.jobs:
            if job.name.startswith("migrate"):
                looks = self.world.counts(job)["stat"]
                self.assertEqual([f for f in (self.world.inject(job, "stat", nth, False)[1] for nth in range(1, looks + 1)) if f], [])

    def test_writers_that_are_killed(self):
        table, findings = sweep.kill_sweep(self.world, 2)
        self.assertEqual(findings, [])
        self.assertGreater(sum(row["at work"] for row in table.values()), 5)

    def test_two_dozen_at_once(self):
        self.assertEqual(sweep.crowd(self.world, 24), [])

    def test_upgrades_from_some_schemas(self):
        n, findings = sweep.upgrades(self.world, 4)
        self.assertEqual(findings, [])
        self.assertGreater(n, 5)

    def test_a_fault_that_is_not_seen_is_found(self):
        """The judge itself: exit 0 with a changed answer, with nothing kept, and a damaged database are findings."""
        world = self.world
        jobs = {job.name: job for job in world.jobs}
        out, _, _ = world.answer_without(jobs["gpus"])
        world.answer_without(jobs["workloads add"])
        home = world.fresh("own")
        self.assertEqual(world.verdict(jobs["gpus"], home, 0, out, b"")[0], "wrong exit")
        self.assertEqual(world.verdict(jobs["workloads add"], home, 0, b"", b"")[0], "lost")
        self.assertEqual(world.verdict(jobs["gpus"], home, -11, b"", b"")[0], "crashed")
        self.assertEqual(world.verdict(jobs["gpus"], home, 1, b"", b"")[0], "wrong exit")
        self.assertIsNone(world.verdict(jobs["gpus"], home, 1, b"", b"gpuadvise: no\n"))
        with world.database(home) as db:
            db.execute("DELETE FROM own_fact")
        self.assertEqual(world.verdict(jobs["gpus"], home, 1, b"", b"gpuadvise: no\n")[0], "lost")


if __name__ == "__main__":
    harness.main()
