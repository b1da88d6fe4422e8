"""Names as users type them: of GPUs, models, sellers, frameworks and CUDA; options and commands by other tools' words."""
import os

import harness


class Gpus(harness.Case):
    @harness.once
    def test_every_command_takes_the_common_form_and_says_so(self):
        for args in (["gpus", "show", "h100"], ["prices", "list", "--gpu", "h100"], ["prices", "history", "h100"],
                     ["estimate", "--model", "llama-3.1-8b", "--gpu", "h100"], ["report", "--workload", "llama8b", "--gpu", "h100"],
                     ["report", "--workload", "llama8b", "--current", "h100@2.5"], ["check", "--model", "llama-3.1-8b", "--gpu", "h100", "--tokens-per-s", "9"]):
            _, out, err = self.run_tool(*args)
            self.assertIn("'h100' taken as h100-sxm5-80gb", err, args)
            self.assertEqual(err.count("taken as"), 1, args)
        answer = self.json("report", "--workload", "llama8b", "--gpu", "h100")
        self.assertTrue(any("h100-sxm5-80gb" in w and "h100-pcie-80gb" in w for w in answer["warnings"]))
        self.assertEqual({o["gpu"] for o in answer["options"]}, {"h100-sxm5-80gb"})

    @harness.once
    def test_others_are_taken_alike(self):
        for name, sku in (("h200", "h200-sxm5-141gb"), ("a100", "a100-sxm4-80gb"), ("NVIDIA H200", "h200-sxm5-141gb"), ("mi50", "mi50-16gb"),
                          ("RTX4090", "rtx-4090-24gb"), ("helios", "mi455x-432gb"), ("mi300x", "mi300x-192gb")):
            self.assertEqual(self.json("gpus", "show", name)["gpus"][0]["sku_id"], sku)

    @harness.once
    def test_series_and_architectures_are_listed(self):
        for name, among in (("mi200", "mi250x-128gb"), ("mi450", "mi455x-432gb"), ("pascal", "p100-sxm2-16gb"), ("gfx942", "mi300x-192gb"), ("9.0", "h100-sxm5-80gb"), ("sm_90", "h100-sxm5-80gb"), ("sm90a", "h200-sxm5-141gb"), ("compute_90", "gh200-96gb"), ("p100", "p100-pcie-16gb")):
            out, err = self.exits(2, "gpus", "show", name)
            self.assertIn(among, err)
        self.assertNotIn("mi50", self.exits(2, "gpus", "show", "mi450")[1])

    @harness.once
    def test_migration_targets(self):
        self.assertEqual(self.json("migrate", "scan", self.write("a.cu", "int main() {}\n"), "--gpu", "helios")["summary"]["gpu"], "mi455x-432gb")
        self.exits(2, "migrate", "scan", self.home, "--gpu", "h100")  # no target of a port

    @harness.once
    def test_price_list_of_a_name_that_is_no_part_of_an_id(self):
        self.assertIn("mi455x-432gb", self.exits(3, "prices", "list", "helios")[1])
        self.assertIn("two GPUs", self.exits(2, "prices", "list", "helios", "--gpu", "mi300x")[1])


class Models(harness.Case):
    def model(self, name, **options):
        answer = self.json("estimate", "--gpu", "mi300x", "--gpus", "8", "--model", name, **options)
        return answer["configuration"]["model"], answer["warnings"]

    def test_names_of_the_hub(self):
        for name, model in (("meta-llama/Llama-3.1-70B-Instruct", "llama-3.1-70b"), ("LLAMA-3.1-70B-INSTRUCT", "llama-3.1-70b"), ("Qwen/Qwen3-235B-A22B-Instruct-2507", "qwen3-235b-a22b"),
                            ("google/gemma-3-27b", "gemma-3-27b"), ("mistralai/Mixtral-8x7B-Instruct-v0.1", "mixtral-8x7b"), ("RedHatAI/Meta-Llama-3.1-8B-Instruct-quantized.w4a16", "llama-3.1-8b")):
            found, warnings = self.model(name)
            self.assertEqual(found, model)
            self.assertTrue(any(f"taken as {model}" in w for w in warnings), name)
        self.assertEqual(self.model("openai/gpt-oss-120b"), ("gpt-oss-120b", []))

    @harness.once
    def test_narrower_weights_are_not_dropped_in_silence(self):
        for suffix, option in (("-FP8", "fp8"), ("-AWQ", "int4"), ("-bnb-4bit", "int4"), ("-GGUF", "")):
            self.assertIn("--weights " + option if option else "--weights", self.model("x/Llama-3.1-70B-Instruct" + suffix)[1][0])

    @harness.once
    def test_report_and_models_show(self):
        self.assertIn("taken as llama-3.1-8b", self.run_tool("report", "--model", "meta-llama/Llama-3.1-8B-Instruct")[2])
        self.assertEqual(self.json("models", "show", "Llama-3.1-8B-Instruct")["models"][0]["model_id"], "llama-3.1-8b")

    @harness.once
    def test_a_folder_of_that_name_wins(self):
        for name in ("Llama-3.1-70B-Instruct", "meta-llama/Llama-3.1-70B-Instruct"):
            os.makedirs(os.path.join(self.home, name))
            self.assertNotIn("taken as", self.exits(2, "estimate", "--gpu", "mi300x", "--model", name, cwd=self.home)[1])


class Sellers(harness.Case):
    @harness.once
    def test_second_names(self):
        for name, provider in (("oracle", "oci"), ("Microsoft", "azure"), ("amazon", "aws"), ("google", "gcp"), ("lambdalabs", "lambda"), ("OCI", "oci")):
            self.assertEqual({o["provider"] for o in self.json("prices", "list", "--provider", name)["offers"]}, {provider})
        self.assertEqual({o["provider"] for o in self.json("report", "--workload", "llama8b", "--provider", "oracle")["options"]}, {"oci"})
        self.ok("report", "--workload", "llama8b", "--discount", "amazon=10")
        self.ok("report", "--workload", "llama8b", "--price", "oracle:mi300x=2")

    @harness.once
    def test_a_seller_without_prices(self):
        for args in (["prices", "list"], ["report", "--workload", "llama8b"]):
            out, err = self.exits(3, *args, "--provider", "io.net")
            self.assertIn("no price of io.net is in the catalog", err)
            self.assertNotIn("unknown", err)
        answer = self.json("report", "--workload", "llama8b", "--provider", "io.net", code=3)
        self.assertEqual(answer["options"], [])

    @harness.once
    def test_a_price_of_it_that_was_imported_counts(self):
        path = self.write("own.csv", "gpu,gpu_count,price_usd_per_hour\nMI300X,8,16\n")
        self.ok("prices", "import", path, "--provider", "io.net", "--price-of", "instance")
        offers = self.json("prices", "list", "--provider", "io.net")["offers"]
        self.assertEqual([(o["gpu"], o["price_usd_per_gpu_hour"]) for o in offers], [("mi300x-192gb", 2)])

    def test_misspelt(self):
        self.assertIn("did you mean 'oracle'", self.exits(2, "report", "--workload", "llama8b", "--provider", "orcale")[1])


class Subjects(harness.Case):
    def first(self, name):
        answer = self.json("compat", name)
        return (answer["claims"] + answer["libraries"])[0].get("subject")

    @harness.once
    def test_words_of_the_field(self):
        for name, subject in (("awq", "vllm quantization: awq"), ("hip", "hip"), ("LAMMPS", "lammps"), ("OpenFOAM", "openfoam"), ("PagedAttention", "pagedattention"), ("AMP", "torch.amp"),
                              ("torch.cuda.amp", "torch.amp"), ("video-decode", "rocdecode"), ("UALink", "ualink"), ("Helios", "helios"), ("trt-llm", "tensorrt-llm"), ("vllm", "vllm")):
            self.assertEqual(self.first(name), subject)

    @harness.once
    def test_what_was_taken_is_said(self):
        self.assertIn("'awq' taken as vllm quantization: awq; awq", self.run_tool("compat", "awq")[2])
        self.assertEqual(self.run_tool("compat", "lammps")[2], "")


class CudaNames(harness.Case):
    @harness.once
    def test_libraries(self):
        answer = self.json("migrate", "api", "cuSOLVER")
        self.assertEqual([x["rocm_name"] for x in answer["libraries"]], ["hipSOLVER / rocSOLVER"])
        self.assertGreater(len(answer["names"]), 100)
        self.assertEqual({x["library"] for x in answer["names"]}, {"cusolver"})
        for name, rocm in (("cub", "hipCUB"), ("thrust", "rocThrust"), ("wmma", "rocWMMA"), ("nvcuda::wmma", "rocWMMA"), ("cublasMp", "rocBLAS"), ("nvdec", "rocDecode")):
            self.assertIn(rocm, self.ok("migrate", "api", name))
        self.exits(2, "migrate", "api", "legacy")
        self.exits(2, "migrate", "api", "(")

    @harness.once
    def test_words_of_the_language(self):
        for name in ("threadIdx.x", "blockDim.y", "threadIdx", "__shared__"):
            x = self.json("migrate", "api", name)["names"][0]
            self.assertEqual((x["cuda_name"], x["status"]), (name.split(".")[0], "same-name"))
            self.assertTrue(x["note"])
        self.exits(2, "migrate", "api", "threadIdx.q")


class Words(harness.Case):
    @harness.once
    def test_options_of_other_tools(self):
        for word, option in (("users", "concurrency"), ("max-concurrency", "concurrency"), ("num-prompts", "concurrency"), ("qps", "rate"), ("request-rate", "rate"), ("random-input-len", "isl"),
                             ("input-len", "isl"), ("random-output-len", "osl"), ("quantization", "weights"), ("regions", "region")):
            self.assertIn(f"unknown option '--{word}'; did you mean '--{option}'?", self.exits(2, "report", f"--{word}", "5")[1])
        self.assertIn("did you mean '--tp'", self.exits(2, "estimate", "--tensor-parallel-size=8")[1])
        self.assertIn("did you mean '--vendor'", self.exits(2, "gpus", "--vendr", "amd")[1])  # edits still count

    def test_words_inside_of_words(self):
        for word, option in (("in-flight", "concurrency"), ("requests-in-flight", "concurrency"), ("concurrent-users", "concurrency"), ("max-age-days", "max-age"), ("fleet-size", "fleet"), ("residual-value", "residual"),
                             ("max-input-len", "isl"), ("site-power", "site-kw"), ("without-provider", "exclude-provider"), ("no-gpu", "exclude-gpu"), ("api", "api-usd-per-mtok"), ("quote", "gpu-price")):
            self.assertTrue(self.exits(2, "report", "llama8b", f"--{word}", "5")[1].endswith(f"unknown option '--{word}'; did you mean '--{option}'?\n"), word)
        self.assertIn("did you mean '--tp'", self.exits(2, "estimate", "--tensor-parallel-degree=8")[1])
        for word in ("eur", "x" * 5000, "-", "--", "tensor-parallel", "tensor-parallel-degree", "a-b-c-" * 2000):  # no part of another meaning is taken for the whole
            self.assertNotIn("did you mean", self.exits(2, "report", "llama8b", f"--{word}", "5")[1], word[:30])

    @harness.once
    def test_a_model_is_no_workload(self):
        for args in (("--workload", "qwen2.5-32b"), ("llama8b", "--workload", "qwen2.5-32b")):
            self.assertIn("'qwen2.5-32b' is a model and no workload: '--model qwen2.5-32b'", self.exits(2, "report", *args)[1])
        self.assertEqual(self.json("report", "meta-llama/Llama-3.1-70B-Instruct")["inputs"], self.json("report", "--model", "meta-llama/Llama-3.1-70B-Instruct")["inputs"])
        self.assertIn("did you mean 'llama70b'", self.exits(2, "report", "lama70b")[1])

    @harness.once
    def test_only_what_the_command_takes(self):
        self.assertNotIn("did you mean", self.exits(2, "prices", "list", "--users", "5")[1])
        self.assertIn("did you mean '--concurrency'", self.exits(2, "report", "--workload", "llama8b", "--batch", "5")[1])
        self.assertIn("did you mean '--gpu'", self.exits(2, "estimate", "--device", "mi300x")[1])
        self.assertIn("it is taken by", self.exits(2, "estimate", "--region", "us")[1])

    @harness.once
    def test_a_format_is_no_file(self):
        for args in (["-o", "json"], ["-ojson"], ["--output", "CSV"], ["--output=html"]):
            _, err = self.exits(2, "gpus", *args, cwd=self.home)
            self.assertIn("did you mean '--format ", err)
        self.assertEqual([f for f in os.listdir(self.home) if f.lower() in ("json", "csv", "html")], [])
        self.ok("gpus", "-o", "./json", cwd=self.home)
        self.assertTrue(os.path.exists(os.path.join(self.home, "json")))

    @harness.once
    def test_commands(self):
        for word, says in (("compare", "gpuadvise report"), ("scan", "migrate scan"), ("benchmark", "gpuadvise bench"), ("cost", "prices list")):
            self.assertIn(says, self.exits(2, word)[1])
        self.assertIn("did you mean 'report'", self.exits(2, "reprot")[1])


if __name__ == "__main__":
    harness.main()
