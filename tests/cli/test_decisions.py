"""docs/decisions.md: each command of the page prints what stands under it. UPDATE_DOCS=1 writes what it prints into the page."""
import os
import re
import shlex

import harness

PAGE = os.path.join(harness.ROOT, "docs/decisions.md")
BLOCK = re.compile(r"```\n\$ gpuadvise (.*?)\n(.*?)```", re.S)


def read():
    with open(PAGE, encoding="utf-8") as f:
        return f.read()


class Decisions(harness.Case):
    def verdict(self, line):
        out = self.ok(*shlex.split(line), cwd=harness.ROOT, env={"COLUMNS": "80"})
        return out.split("\n\n", 1)[1].split("\n\nBest of each vendor", 1)[0] + "\n"

    def test_the_page_says_what_the_program_prints(self):
        text = read()
        self.assertGreaterEqual(len(BLOCK.findall(text)), 5)
        if os.environ.get("UPDATE_DOCS"):
            text = BLOCK.sub(lambda m: f"```\n$ gpuadvise {m.group(1)}\n{self.verdict(m.group(1))}```", text)
            with open(PAGE, "w", encoding="utf-8") as f:
                f.write(text)
        for line, printed in BLOCK.findall(text):
            self.assertEqual(printed, self.verdict(line), line)

    def winner(self, *args):
        return self.json("report", "--workload", "llama70b", *args, cwd=harness.ROOT)["verdict"]

    def test_who_should_switch_and_who_should_not(self):
        at = ["--gpu", "mi300x", "--current", "h100-sxm5-80gb@9", "--stack"]
        stays = self.winner(*at, "docs/stacks/stays.stack")
        self.assertEqual((stays["winner"], stays["decided_by_needs"]), ("nvidia", True))
        self.assertIn("TensorRT-LLM", stays["text"])
        self.assertEqual(self.winner(*at, "docs/stacks/moves.stack")["winner"], "amd")
        # What may be replaced does not block; its work still counts.
        with open(os.path.join(harness.ROOT, "docs/stacks/stays.stack"), encoding="utf-8") as f:
            free = self.write("free.stack", f.read() + "may-replace = tensorrt-llm, custom-ptx\n")
        given_up = self.winner(*at, free)
        self.assertFalse(given_up["decided_by_needs"])
        self.assertNotEqual(given_up["winner"], "amd")

    def test_uncounted_work_does_not_matter_where_even_none_would_not_pay(self):
        """A fleet far cheaper than what is for rent stays, whichever vendor's it is; of a dear one nothing of the kind is said."""
        for fleet, stays in (("8xmi300x@0.6", "amd"), ("8xh100-sxm5-80gb@0.8", "nvidia"), ("8xmi300x@2.5", None)):
            answer = self.json("report", "--workload", "llama70b", "--current", fleet)
            verdict = answer["verdict"]
            self.assertEqual(verdict["decided_by_staying"], stays is not None, fleet)
            if stays:
                self.assertEqual(verdict["winner"], stays)
                self.assertGreaterEqual(verdict["probability"], 0.9)
                self.assertIn("even if the software took no work", verdict["text"])
                self.assertFalse([f for f in answer["sensitivity"] if f["unit"] == "USD per GPU-hour" and f["verdict_changes_at"] is not None])
            else:
                self.assertNotIn("even if the software took no work", verdict["text"].split(" What moving")[0])


if __name__ == "__main__":
    harness.main()
