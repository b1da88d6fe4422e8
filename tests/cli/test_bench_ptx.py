"""`bench` on a stand-in of CUDA's driver whose launches execute the program's own PTX in the tests' interpreter."""
import os

import harness
from test_bench import nvidia
from test_bench_gpu import H100, NVIDIA, SMALL, World

# Compute capability, driver, what is loaded, and a share of the tests. GPUADVISE_PTX_ALL=1 runs all of them: a few minutes.
GPUS = {"60": ("sm_60", ("triad", "gemm-fp32", "softmax")),
        "80": ("sm_80", ("reduce", "gemm-bf16", "topk")),
        "89": ("sm_89", ("gemm-fp8", "gemv-fp8")),
        "90": ("sm_90a", ("copy", "gemm-fp8-wgmma", "rmsnorm")),
        "120": ("sm_120a", ("gemm-mxfp4", "moe-gather"))}


class Ptx(World):
    def execute(self, capability):
        target, some = GPUS[capability]
        log = os.path.join(self.home, "launches")
        nvidia(self.root, "0000:07:00.0", "0x2330", "0x16c1", "NVIDIA H100 80GB HBM3")
        gpu = H100.replace("cc=90", f"cc={capability}").replace("driver=12040", "driver=12080")
        env = self.world(NVIDIA, FAKE_CUDA=f"{gpu};ptx={log}", FAKE_NVML="")
        if os.environ.get("GPUADVISE_PTX_ALL"):
            some = ()
        answer = self.json(*SMALL, *some, env=env, timeout=900 if not some else 80)
        device, = answer["devices"]
        self.assertIn(f"{target}, PTX ", device["how"])
        ran = [r for r in answer["results"] if r["verdict"] != "not supported"]
        self.assertEqual([r["test"] for r in ran if not r["verified"]], [])
        with open(log, encoding="utf-8") as f:
            launches = [line.rstrip("\n").split("\t") for line in f]
        self.assertEqual([x for x in launches if x[5]], [])  # no fault
        self.assertGreater(sum(int(x[2]) for x in launches), 10000)
        entries = {x[0] for x in launches}
        self.assertLessEqual({"gk_" + t.replace("-", "_") for t in some if not t.startswith("gem")}, entries)
        if not some:
            print(target, len(ran), "tests,", len(entries), "entries,", len(launches), "launches,", sum(int(x[2]) for x in launches), "instructions")

    @harness.once
    def test_sm_60_executes(self):
        self.execute("60")

    @harness.once
    def test_sm_80_executes(self):
        self.execute("80")

    @harness.once
    def test_sm_89_executes(self):
        self.execute("89")

    @harness.once
    def test_sm_90a_executes(self):
        self.execute("90")

    @harness.once
    def test_sm_120a_executes(self):
        self.execute("120")


if __name__ == "__main__":
    harness.main()
