"""bench --minutes on stand-ins for drivers: all GPUs under load at once. Seconds here, minutes on a real node."""
import shutil
import signal
import subprocess
import time

import harness
from test_bench import nvidia
from test_bench_gpu import H100, NVIDIA, World

ADDRESSES = [f"0000:{0x10 + i:02x}:00.0" for i in range(8)]
SHORT = ("bench", "--minutes", "0.01", "--working-set", "1")


class Soak(World):
    def node(self, n, cuda="", nvml="", names=NVIDIA):
        shutil.rmtree(self.root, ignore_errors=True)
        for i in range(n):
            nvidia(self.root, ADDRESSES[i], "0x2330", "0x16c1", "NVIDIA H100 80GB HBM3", i)
        return self.world(names, FAKE_CUDA=f"{H100.replace('0000:07:00.0', ','.join(ADDRESSES[:n]))};memory=0.03125;{cuda}", FAKE_NVML=nvml)

    def soak(self, env, code=0):
        answer = self.json(*SHORT, env=env, code=code)
        return answer, {(r["device"], r["test"]): r for r in answer["results"]}

    def test_one_gpu(self):
        answer, results = self.soak(self.node(1, nvml="temp=71;power=512"))
        self.assertEqual([r["test"] for r in answer["results"]], ["memory", "gemm-bf16", "triad"])
        for r in results.values():
            self.assertTrue(r["verified"] and r["median"] > 0 and r["temperature_c"] == 71, r)
        gpu, = answer["soak"]["gpus"]
        self.assertGreater(gpu["memory_pct"], 90)
        self.assertEqual((round(gpu["power_max_w"]), gpu["power_limit_w"], gpu["temperature_max_c"], gpu["ecc_errors_new"]), (512, 700, 71, 0))
        self.assertEqual((answer["soak"]["slowest"], gpu["below_median_pct"]), (None, None))  # nothing is like it
        # Each word under six patterns, at least once.
        self.assertEqual(results["gpu0", "memory"]["checked"] % (6 * int(results["gpu0", "memory"]["shape"]) // 4), 0)
        self.assertEqual(self.json("bench", "runs", "1")["results"], answer["results"])

    def test_faults_of_memory(self):
        faults = (("stuck=12345", "walking ones: 1 word of the memory came back wrong: word 12345 of"), ("alias=9", "address in address: "),
                  ("flaky=77", "read again, all is right"))
        for fault, words in faults[:1] if harness.SANITIZED else faults:
            _, results = self.soak(self.node(1, fault), code=5)
            r = results["gpu0", "memory"]
            self.assertEqual((r["verdict"], r["median"]), ("wrong", None))
            self.assertIn(words, r["error"])
            self.assertTrue(results["gpu0", "triad"]["verified"])

    @harness.once
    def test_wrong_under_load(self):
        for fault in ("wrong_after=20", "wrong_unit=7"):
            _, results = self.soak(self.node(1, fault), code=5)
            self.assertIn("wrong under load", results["gpu0", "gemm-bf16"]["error"])
            self.assertIn("wrong under load", results["gpu0", "triad"]["error"])
            self.assertTrue(results["gpu0", "memory"]["verified"])

    @harness.once
    def test_a_node(self):
        answer, results = self.soak(self.node(4, "lame=2;gflops=20000;memory=0.125", "reasons=128;temp=83", (*NVIDIA, "libcublasLt.so.12")))
        soak = answer["soak"]
        self.assertEqual((soak["slowest"], soak["power_limit_w"], round(soak["power_w"])), ("gpu2", 2800, 1800))
        self.assertAlmostEqual(soak["gpus"][2]["below_median_pct"], 50, delta=5)
        self.assertEqual(len(results), 12)
        self.assertTrue(all(results[f"gpu{i}", "gemm-bf16"]["library_ceiling"] > 0 for i in range(4)))
        text = " ".join(self.ok(*SHORT, env=self.node(2, "lame=1", "reasons=128;temp=83")).split())
        self.assertIn("2 GPUs at once", text)
        self.assertIn("of 1400 W that their limits allow together. Clocks held down: gpu0 by power brake of the node,", text)
        self.assertIn("the node's power supply or a limit of the node holds it", text)
        self.assertRegex(text, r"Slowest: gpu1, in (memory|gemm-bf16|triad) [2-5]\d\.\d % below the median of its like\.")

    @harness.once
    def test_a_library_that_crashes_takes_its_slices_only(self):
        env = self.node(1, names=(*NVIDIA, "libcublasLt.so.12"))
        answer, results = self.soak(env | {"FAKE_LT": "fault=crash", "FAKE_CUDA": env["FAKE_CUDA"] + "memory=0.125"})
        self.assertTrue(any("no more products by its vendor's library" in w and "signal 11" in w for w in answer["warnings"]))
        self.assertTrue(all(r["verified"] for r in results.values()) and len(results) == 3)

    @harness.once
    def test_a_gpu_that_is_lost(self):
        """Its worker alone ends; what was found until then stays, of the others all."""
        answer, results = self.soak(self.node(2, "error=gk_triad:999;only=1"), code=5)
        self.assertEqual([d["state"] for d in answer["devices"]], ["tested", "failed"])
        self.assertIn("in triad: cuLaunchKernel", answer["soak"]["gpus"][1]["ended"])
        self.assertEqual(answer["soak"]["gpus"][0]["ended"], None)
        self.assertTrue(results["gpu1", "gemm-bf16"]["verified"] and results["gpu0", "triad"]["verified"])
        self.assertNotIn(("gpu1", "triad"), results)

    @harness.once
    def test_ctrl_c_ends_it_with_what_was_found(self):
        env = harness.environment(self.home) | self.node(2)
        p = subprocess.Popen([harness.BIN, "bench", "--minutes", "10", "--working-set", "1", "--json", "--progress"], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while b"under load" not in p.stderr.readline():
            pass
        time.sleep(3)
        start = time.monotonic()
        p.send_signal(signal.SIGINT)
        out, err = p.communicate(timeout=30)
        self.assertLess(time.monotonic() - start, 10)
        self.assertEqual(p.returncode, 130, err)
        answer = harness.parse_json(out.decode())
        self.assertFalse(answer["complete"])
        self.assertEqual(len(answer["soak"]["gpus"]), 2)

    def test_what_it_refuses(self):
        _, err = self.exits(2, "bench", "--minutes", "1", "triad", env=self.node(1))
        self.assertIn("has its own tests", err)
        _, err = self.exits(2, "bench", "--minutes", "1", "--device", "cpu", env=self.node(1))
        self.assertIn("loads GPUs", err)
        self.exits(2, "bench", "--minutes", "0")

    def test_the_memory_test_by_name(self):
        answer = self.json("bench", "memory", env=self.node(1))
        r, = answer["results"]
        self.assertTrue(r["verified"])
        self.assertIsNone(answer["soak"])
        self.assertGreater(int(r["shape"]), 0.9 * 0.03125 * 2**30)


if __name__ == "__main__":
    harness.main()
