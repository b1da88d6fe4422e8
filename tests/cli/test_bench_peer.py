"""bench on several GPUs that are not there: copies between them and sums over them."""
import os

import harness
from test_bench import kfd, nvidia, pci, put
from test_bench_gpu import AMD, NVIDIA, SMALL, World

NCCL, RCCL = "libnccl.so.2", "librccl.so.1"
PAIRS = ("peer-copy", "peer-copy-both")
SUMS = ("all-reduce-small", "all-reduce-medium", "all-reduce-large")
RINGS = ("ring-small", "ring-medium", "ring-large")


class Peer(World):
    def world(self, names, **variables):
        # Thousands of small pieces are added up: threads that wait for each other would take most of the time.
        return {**super().world(names, **variables), "OMP_NUM_THREADS": "1"}

    def h100s(self, n, cuda="", nvml="", nccl="", names=(*NVIDIA, NCCL)):
        addresses = [f"0000:{0x10 + i:02x}:00.0" for i in range(n)]
        for i, address in enumerate(addresses):
            if not os.path.isdir(os.path.join(self.root, "sys/bus/pci/devices", address)):
                nvidia(self.root, address, "0x2330", "0x16c1", "NVIDIA H100 80GB HBM3", i)
        fake = f"pci={','.join(reversed(addresses))};name=NVIDIA H100 80GB HBM3;units=132;cc=90;driver=12040;{cuda}"
        return self.world(names, FAKE_CUDA=fake, FAKE_NVML=nvml, FAKE_NCCL=nccl)

    def mi300xs(self, n, hip="", nccl="", names=(*AMD, RCCL)):
        addresses = [f"0000:{0x20 + i:02x}:00.0" for i in range(n)]
        for i, address in enumerate(addresses):
            pci(self.root, address, "0x1002", "0x74a1", "0x1002", "0x74a1", "0x00", "0x120000", "amdgpu", current_compute_partition="SPX", current_memory_partition="NPS1")
            kfd(self.root, 2 + i, 90402, 304, 192, (0x20 + i) << 8, 128 + i)
        put(self.root, "dev/kfd")
        return self.world(names, FAKE_HIP=f"pci={','.join(addresses)};name=AMD Instinct MI300X;units=304;gfx=gfx942;{hip}", FAKE_NCCL=nccl)

    def bench(self, env, *args, code=0, timeout=85):
        answer = self.json(*SMALL, *args, env=env, code=code, timeout=timeout)
        return answer, {(r["test"], r["device"]): r for r in answer["results"]}

    def assert_good(self, r, unit):
        self.assertTrue(r["verified"], r)
        self.assertEqual((r["unit"], r["error"]), (unit, None))
        self.assertLessEqual(r["max_error_of_bound"], 1)
        self.assertTrue(0 < r["p5"] <= r["median"] <= r["p95"])
        self.assertGreaterEqual(r["samples"], 15)

    # ------------------------------------------------------------ whole nodes

    def test_eight_h100_of_one_switch(self):
        n = 4 if harness.SANITIZED else 8
        answer, results = self.bench(self.h100s(n, "peer=390", nccl="busbw=470;us=16", nvml="power=500;temp=58"), *PAIRS, *SUMS, *RINGS)
        group = answer["devices"][n]
        self.assertEqual((group["id"], group["state"], group["sku_id"]), (f"{n}xnvidia", "tested", "h100-sxm5-80gb"))
        self.assertEqual(group["name"], f"{n} x NVIDIA H100 80GB HBM3 together")
        for words in ("NVLink, GPU with 18 links", "libcuda.so.1 of CUDA 12.4", "libnccl.so.2, version 2.21.5"):
            self.assertIn(words, group["how"])
        self.assertEqual(len(results), n * (n - 1) * 3 // 2 + 6)
        for i in range(n):
            for k in range(n):
                if k == i:
                    continue
                one = results["peer-copy", f"gpu{i}>gpu{k}"]
                self.assert_good(one, "GB/s")
                self.assertEqual((one["gpu_count"], one["path"], one["shape"]), (2, "NVLink, GPU with 18 links", "1048576"))
                self.assertEqual(one["checked"], 1 + 4099 + 65537 + 1048576)
                if i < k:
                    both = results["peer-copy-both", f"gpu{i}+gpu{k}"]
                    self.assert_good(both, "GB/s")
                    self.assertAlmostEqual(both["median"], 2 * one["median"], delta=0.1 * both["median"])
                    self.assertEqual(both["datasheet"], 900)
                self.assertEqual(one["datasheet"], 450)
        for test in (*SUMS, *RINGS):
            r = results[test, f"{n}xnvidia"]
            self.assert_good(r, "us" if not test.endswith("large") else "GB/s")
            self.assertEqual((r["gpu_count"], r["power_w"], r["temperature_c"], r["dtype"]), (n, 500 * n, 58, "fp32"))
            self.assertEqual(r["library"], NCCL if test in SUMS else None)
            self.assertEqual(r["verdict"], "no reference")  # not the size of the readings
        # 16 us and what 16 KiB take
        self.assertAlmostEqual(results["all-reduce-small", f"{n}xnvidia"]["median"], 16, delta=1)
        self.assertEqual(self.json("bench", "runs", "1")["results"], answer["results"])

    def test_bus_bandwidth_is_what_the_library_moves(self):
        # 1 MiB on 4 GPUs: without latency the figure is the stand-in's own.
        _, results = self.bench(self.h100s(4, nccl="busbw=100;us=0"), "all-reduce-large")
        self.assertAlmostEqual(results["all-reduce-large", "4xnvidia"]["median"], 100, delta=1)
        self.assertEqual(results["all-reduce-large", "4xnvidia"]["datasheet"], 450)

    def test_eight_mi300x_over_xgmi(self):
        n = 3 if harness.SANITIZED else 8
        answer, results = self.bench(self.mi300xs(n, "peer=48"), "peer-copy", "all-reduce-medium", "ring-medium")
        group = answer["devices"][n]
        self.assertEqual((group["id"], group["state"], group["sku_id"]), (f"{n}xamd", "tested", "mi300x-192gb"))
        for words in ("xGMI, 1 hop", "libamdhip64.so.6, HIP 6.3", "librccl.so.1, version 2.21.5"):
            self.assertIn(words, group["how"])
        self.assertEqual(len(results), n * (n - 1) + 2)
        for r in results.values():
            self.assertTrue(r["verified"], r)
            self.assertIsNone(r["datasheet"])  # how many links join two of them is not listed
        self.assertEqual(results["peer-copy", "gpu0>gpu1"]["path"], "xGMI, 1 hop")

    def test_an_mi300x_in_eight_parts_is_eight_devices(self):
        functions = ",".join(f"0000:05:00.{i}" for i in range(8))
        pci(self.root, "0000:05:00.0", "0x1002", "0x74a1", "0x1002", "0x74a1", "0x00", "0x120000", "amdgpu", current_compute_partition="CPX", current_memory_partition="NPS4")
        for i in range(8):
            kfd(self.root, 2 + i, 90402, 38, 24, 0x500 + i, 128 + i)
        put(self.root, "dev/kfd")
        env = self.world((*AMD, RCCL), FAKE_HIP=f"pci={functions};name=AMD Instinct MI300X;units=38;gfx=gfx942")
        answer, results = self.bench(env, "ring-small")
        self.assertTrue(results["ring-small", "8xamd"]["verified"])
        self.assertIsNone(answer["devices"][8]["sku_id"])

    def test_the_text_has_a_matrix(self):
        out = self.ok(*SMALL, "peer-copy", "peer-copy-both", "ring-small", env=self.h100s(3, "peer=390;peers=none;staged=12", nvml="nvlink=0;topology=40"))
        self.assertRegex(out, r"Copies from the row's GPU to the column's, GB/s \(\* through the host's memory\):\n +gpu0 +gpu1 +gpu2\ngpu0 +- +[0-9.]+\* +[0-9.]+\*\n")
        self.assertRegex(out, r"Copies both ways at once, the sum of both, GB/s .*:\n +gpu0 +gpu1 +gpu2\ngpu0 +- +[0-9.]+\* +[0-9.]+\*\ngpu1 +[0-9.]+\* +- ")
        self.assertNotIn("gpu0>gpu1", out)
        self.assertIn("ring-small", out)
        rows = self.ok(*SMALL, "peer-copy", "--format", "csv", env=self.h100s(3, "peer=390")).splitlines()
        self.assertEqual(len(rows), 1 + 6)

    # ------------------------------------------------------------ less than that

    def test_two_gpus_without_peer_access(self):
        answer, results = self.bench(self.h100s(2, "peers=none;staged=11", nvml="nvlink=0;topology=50"), *PAIRS, "ring-medium", "all-reduce-medium")
        words = "through the host's memory: no peer access (PCIe, across processors)"
        self.assertIn(words, answer["devices"][2]["how"])
        for r in results.values():
            self.assertTrue(r["verified"], r)
            self.assertEqual((r["path"], r["datasheet"]), (words, None))
        self.assertLess(results["peer-copy", "gpu0>gpu1"]["median"], 11)

    def test_no_collectives_library(self):
        for env, name, tried in ((self.h100s(2, names=NVIDIA), "2xnvidia", "NCCL is not here (tried libnccl.so.2, libnccl.so)"),
                                 (self.mi300xs(2, names=AMD), "2xamd", "RCCL is not here (tried librccl.so.1, librccl.so, /opt/rocm/lib/librccl.so)")):
            answer, results = self.bench(env, "all-reduce-large", "ring-large", "--device", "h100" if "nvidia" in name else "mi300x")
            r = results["all-reduce-large", name]
            self.assertEqual((r["verdict"], r["median"]), ("not supported", None))
            self.assertEqual(r["error"], tried)
            self.assertIn(tried, answer["devices"][2]["how"])
            self.assertTrue(results["ring-large", name]["verified"])

    def test_one_gpu_has_nothing_between(self):
        answer, results = self.bench(self.h100s(1), "peer-copy", "ring-small")
        self.assertEqual([r["verdict"] for r in results.values()], ["not supported"] * 2)
        self.assertIn("nothing to measure between GPUs: one GPU of its kind", results["ring-small", "gpu0"]["error"])
        self.assertIn("Nothing to measure between GPUs", answer["note"])
        answer, results = self.bench(self.h100s(2), "ring-small", "--device", "gpu1")
        self.assertEqual([d["id"] for d in answer["devices"]], ["gpu1"])
        self.assertIn("one GPU", results["ring-small", "gpu1"]["error"])
        answer, results = self.bench(self.h100s(2), "copy", "--device", "gpu0")
        self.assertNotIn("between", answer["note"])

    def test_a_cpu_has_no_peers(self):
        answer = self.json(*SMALL, "peer-copy", "copy", "launch-trip", "--device", "cpu")
        self.assertEqual([r["verdict"] for r in answer["results"]], ["no reference", "not supported", "not supported"])

    def test_mig_slices_have_nothing_between(self):
        answer, results = self.bench(self.h100s(2, "units=42;memory=40", nvml="mig=1"), "peer-copy")
        self.assertIn("MIG slices do not reach each other", results["peer-copy", "gpu0"]["error"])

    def test_a_busy_gpu_stays_out(self):
        # Every board of the stand-in is as busy as the next.
        answer, results = self.bench(self.h100s(2, nvml="processes=1"), "peer-copy", code=5)
        self.assertEqual(([d["state"] for d in answer["devices"]], results), (["not tested"] * 2, {}))
        answer, results = self.bench(self.h100s(2, nvml="processes=1"), "peer-copy", "--shared")
        self.assertTrue(results["peer-copy", "gpu1>gpu0"]["verified"])

    def test_two_vendors_are_two_groups(self):
        env = {**self.h100s(2), **self.mi300xs(2)}
        answer, results = self.bench(env, "ring-small")
        self.assertEqual([d["id"] for d in answer["devices"][4:]], ["2xnvidia", "2xamd"])
        self.assertTrue(all(r["verified"] for r in results.values()))
        self.assertEqual(len(results), 2)

    def test_of_many_gpus_neighbours_alone(self):
        n = 17
        answer, results = self.bench(self.h100s(n), "peer-copy", "peer-copy-both")
        self.assertEqual(len(results), 3 * n)
        self.assertIn(("peer-copy", "gpu0>gpu16"), results)
        self.assertTrue(any("copies between neighbours alone" in w for w in answer["warnings"]))

    def test_a_link_that_is_slower_than_its_likes(self):
        # CUDA's order is the other way round here: its device 2 is gpu1.
        answer, results = self.bench(self.h100s(4, "slow=2:0"), "peer-copy")
        self.assertTrue(all(r["verified"] for r in results.values()))
        warning, = [w for w in answer["warnings"] if "see that link" in w]
        self.assertIn("peer-copy gpu1>gpu3: ", warning)
        self.assertIn("50 % of what pairs joined alike reach here", warning)

    # ------------------------------------------------------------ what goes wrong

    def faulty(self, *tests, cuda="", nccl="", code=5, args=()):
        answer, results = self.bench(self.h100s(2, cuda, nccl=nccl), *tests, *args, code=code)
        return answer["devices"][2], results

    def test_bytes_that_arrive_wrong(self):
        _, results = self.faulty("peer-copy", "ring-small", cuda="copies=wrong-peer")
        r = results["peer-copy", "gpu1>gpu0"]
        self.assertEqual((r["verdict"], r["median"]), ("wrong", None))
        self.assertIn("1 of 1 bytes arrived wrong, the first at 0", r["error"])
        r = results["ring-small", "2xnvidia"]
        self.assertEqual((r["verdict"], r["median"]), ("wrong", None))
        _, results = self.bench(self.h100s(2, "copies=wrong-peer", nvml="nvlink=0;topology=30"), "peer-copy", code=5)
        self.assertEqual(results["peer-copy", "gpu1>gpu0"]["path"], "PCIe, one host bridge")
        self.assertIn("see the IOMMU", results["peer-copy", "gpu1>gpu0"]["error"])

    def test_sums_that_are_wrong(self):
        for fault, words in (("wrong", "checked sums are wrong, number 0 is"), ("missing", "GPU 0 of the group: 1 of 1 checked sums are wrong"), ("stray", "wrote outside its output")):
            _, results = self.faulty("all-reduce-small", "ring-small", nccl="fault=" + fault)
            r = results["all-reduce-small", "2xnvidia"]
            self.assertEqual((r["verdict"], r["median"]), ("wrong", None), fault)
            self.assertIn(words, r["error"])
            self.assertTrue(results["ring-small", "2xnvidia"]["verified"])

    def test_an_adding_kernel_that_is_wrong(self):
        _, results = self.faulty("ring-small", cuda="wrong=gk_add")
        self.assertEqual(results["ring-small", "2xnvidia"]["verdict"], "wrong")

    def test_errors_of_the_library(self):
        for fault, words in (("fault=system", "libnccl.so.2: ncclCommInitAll: result 2"), ("fault=unhandled", "libnccl.so.2: ncclGroupEnd: result 1: the driver refused"),
                             ("async=6", "a rank: result 6: another rank failed"), ("fault=crash", "signal 11")):
            device, results = self.faulty("all-reduce-small", "ring-small", nccl=fault)
            self.assertEqual(device["state"], "tested")
            self.assertEqual(results["all-reduce-small", "2xnvidia"]["verdict"], "failed")
            self.assertIn(words, results["all-reduce-small", "2xnvidia"]["error"])
            self.assertTrue(results["ring-small", "2xnvidia"]["verified"], fault)

    def test_a_rank_that_hangs(self):
        device, results = self.faulty("peer-copy", "all-reduce-small", "ring-small", nccl="fault=hang", args=("--deadline", "10" if harness.SANITIZED else "3"))
        self.assertEqual((device["state"], device["why"]), ("failed", "a test hung: the others were left out"))
        self.assertTrue(results["peer-copy", "gpu0>gpu1"]["verified"])
        self.assertIn("deadline", results["all-reduce-small", "2xnvidia"]["error"])
        self.assertNotIn(("ring-small", "2xnvidia"), results)

    def test_errors_of_copies(self):
        device, results = self.faulty(*PAIRS, cuda="peer_error=719")
        self.assertEqual((device["state"], len(results)), ("failed", 3))
        self.assertEqual(device["why"], "three tests failed: the others were left out")
        self.assertIn("cuMemcpyPeerAsync: error 719", results["peer-copy", "gpu0>gpu1"]["error"])
        device, results = self.faulty("peer-copy", cuda="peer_fault=crash")
        self.assertIn("signal 11", results["peer-copy", "gpu0>gpu1"]["error"])

    def test_out_of_memory(self):
        # Each holds a copy's source or its target, not what a ring needs.
        _, results = self.faulty("peer-copy", "ring-large", cuda="memory=0.002")
        self.assertTrue(results["peer-copy", "gpu0>gpu1"]["verified"])
        self.assertIn("out of memory", results["ring-large", "2xnvidia"]["error"])

    def test_interrupted_keeps_what_is_done(self):
        answer = self.interrupted(lambda mark: self.h100s(2, f"mark={mark}", nccl="fault=hang"), "peer-copy", "all-reduce-small", "ring-small")
        self.assertEqual([r["device"] for r in answer["results"]], ["gpu0>gpu1", "gpu1>gpu0"])

    # ------------------------------------------------------------ kept and compared

    def test_runs_go_to_other_machines(self):
        env = self.h100s(2)
        self.bench(env, *PAIRS, "ring-small")
        self.ok("bench", "export", "-o", "runs.json")
        with open(os.path.join(self.home, "runs.json"), encoding="utf-8") as f:
            text = f.read()
        runs = harness.parse_json(text)["runs"]
        self.assertEqual({r["device"] for r in runs[0]["results"]}, {"gpu0>gpu1", "gpu1>gpu0", "gpu0+gpu1", "2xnvidia"})
        imported = self.json("bench", "import", "runs.json")["imported"]
        self.assertEqual(imported[0]["status"], "unchanged")
        for broken in (text.replace("gpu0>gpu1", "gpu0>gpu7"), text.replace("gpu0+gpu1", "gpu0>gpu1"), text.replace('"gpu_count": 2', '"gpu_count": 1')):
            self.assertNotEqual(broken, text)
            self.write("broken.json", broken)
            self.assertEqual(self.json("bench", "import", "broken.json", code=1)["imported"][0]["status"], "rejected")


if __name__ == "__main__":
    harness.main()
