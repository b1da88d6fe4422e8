"""Tutorials: every command of docs/tutorials, in their order, in a folder with what they name."""
import glob
import os
import re
import shlex

import harness

FOLDER = os.path.join(harness.ROOT, "docs/tutorials")


def commands(path):
    """(words, exit code) of each line that is set off as a command."""
    with open(path, encoding="utf-8") as f:
        for line in f:
            if line.startswith("    gpuadvise "):
                command, _, note = line.strip().partition("#")
                code = re.search(r"exit (\d+)", note)
                yield shlex.split(command)[1:], int(code.group(1)) if code else 0


@harness.once
class Tutorials(harness.Case):
    seeded = True

    def follow(self, name):
        self.write("quote.csv", "instance,region,gpu,gpu_count,price_per_hour\nm8,eu,MI300X,8,14.4\n")
        self.write("tree/k.cu", "#include <cuda_runtime.h>\n__global__ void k(float *a) { a[threadIdx.x] = __shfl_sync(0xffffffff, a[0], 0); }\n"
                                "int main() { float *p; cudaMalloc(&p, 4); k<<<1, 32>>>(p); }\n")
        self.write("tree/requirements.txt", "torch\nflash-attn\n")
        lines = list(commands(os.path.join(FOLDER, name + ".md")))
        self.assertGreater(len(lines), 6)
        for words, code in lines:
            self.exits(code, *words)

    def test_infrastructure_engineer(self):
        self.follow("infrastructure-engineer")

    def test_ml_engineer(self):
        self.follow("ml-engineer")

    def test_finance(self):
        self.follow("finance")

    def test_none_is_left_out(self):
        self.assertEqual({os.path.basename(p)[:-3] for p in glob.glob(FOLDER + "/*.md")}, {"infrastructure-engineer", "ml-engineer", "finance"})


if __name__ == "__main__":
    harness.main()
