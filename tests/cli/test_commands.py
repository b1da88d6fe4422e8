"""gpus, models, workloads, prices, compat, sources, doctor, help, version, completion: what each answers."""
import csv
import io
import os
import re
import signal
import subprocess

import harness


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


class Gpus(harness.Case):
    def test_list_filters_by_vendor(self):
        everything = self.json("gpus")["gpus"]
        amd = self.json("gpus", "--vendor", "amd")["gpus"]
        self.assertEqual([g for g in everything if g["vendor"] == "amd"], amd)
        self.assertLess(0, len(amd))
        self.assertLess(len(amd), len(everything))

    def test_formats_hold_the_same_rows(self):
        ids = [g["sku_id"] for g in self.json("gpus")["gpus"]]
        self.assertEqual([r["sku_id"] for r in rows(self.ok("gpus", "--format", "csv"))], ids)
        text = self.ok("gpus").splitlines()
        self.assertEqual([line.split()[0] for line in text[1:len(ids) + 1]], ids)
        markdown = self.ok("gpus", "--format", "md").splitlines()
        self.assertEqual([line.split("|")[1].strip().replace("\\", "") for line in markdown[2:len(ids) + 2]], ids)

    def test_show_gives_all_columns_and_how_it_reports_itself(self):
        gpu = self.json("gpus", "show", "mi300x")["gpus"]
        self.assertEqual(len(gpu), 1)
        self.assertEqual(gpu[0]["sku_id"], "mi300x-192gb")
        self.assertEqual(gpu[0]["compute_figures"], "dense")
        self.assertIn("1002:74a1", [d["pci_device"] for d in gpu[0]["device_ids"]])
        text = self.ok("gpus", "show", "mi300x")
        for key in set(gpu[0]) - {"device_ids", "compute_figures"}:
            self.assertRegex(text, rf"(?m)^{key}:")
        self.assertIn("1002:74a1", text)

    def test_unknown_numbers_are_null_and_never_zero(self):
        for gpu in self.json("gpus")["gpus"]:
            for key, value in gpu.items():
                self.assertFalse(value == 0 and not isinstance(value, bool) and value != "", f"{gpu['sku_id']} {key}")

    def test_explain_names_sources(self):
        self.assertIn("SOURCE", self.ok("gpus", "--explain").splitlines()[0])
        self.assertNotIn("SOURCE", self.ok("gpus").splitlines()[0])


class Others(harness.Case):
    def test_models_by_short_name(self):
        model = self.json("models", "show", "llama-3.1-70b")["models"][0]
        self.assertAlmostEqual(model["params_total"] / 1e9, 70.55, places=1)
        self.assertIsInstance(model["tied_embeddings"], bool)

    def test_workloads_name_models_that_exist(self):
        models = {m["model_id"] for m in self.json("models")["models"]}
        for workload in self.json("workloads")["workloads"]:
            self.assertIn(workload["model_id"], models | {None}, workload["workload_id"])
            self.ok("workloads", "show", workload["workload_id"])

    def test_html_is_not_there_yet(self):
        for command in ("gpus", "models", "workloads", "prices", "compat", "sources", "doctor", "version", "help"):
            _, err = self.exits(2, command, "--format", "html")
            self.assertIn("html", err)


class Prices(harness.Case):
    def offers(self, *args, **options):
        return self.json("prices", "list", *args, **options)["offers"]

    def test_grammar(self):
        memory = {g["sku_id"]: g["memory_gb"] for g in self.json("gpus")["gpus"]}
        vendor = {g["sku_id"]: g["vendor"] for g in self.json("gpus")["gpus"]}
        for spec, holds in {
            "amd:mi300x::8": lambda o: o["gpu"] == "mi300x-192gb" and o["gpu_count"] == 8,
            "AMD:": lambda o: vendor[o["gpu"]] == "amd",
            "nvidia::80:": lambda o: vendor[o["gpu"]] == "nvidia" and memory[o["gpu"]] >= 80,
            "nvidia::80GB:1": lambda o: memory[o["gpu"]] >= 80 and o["gpu_count"] == 1,
            ":h100": lambda o: o["gpu"].startswith("h100-"),
            "mi300x": lambda o: o["gpu"] == "mi300x-192gb",
            ":a100-80gb": lambda o: o["gpu"] in ("a100-sxm4-80gb", "a100-pcie-80gb"),
            ":::": lambda o: True,
        }.items():
            found = self.offers(spec)
            self.assertTrue(found, spec)
            self.assertTrue(all(holds(o) for o in found), spec)

    def test_bad_grammar_is_refused(self):
        for spec, says in {"intel:": "intel", "amd:nothing": "nothing", "amd:mi300x:big:": "big", "amd:mi300x::0": "count", "amd::::": "four",
                           "amd:mi300x::x": "count", "amd:mi300x:-1": "memory"}.items():
            out, err = self.exits(2, "prices", "list", spec)
            self.assertEqual(out, "")
            self.assertIn(says, err)

    def test_sorted_by_price_of_a_gpu(self):
        found = self.offers()
        prices = [o["price_usd_per_gpu_hour"] for o in found]
        self.assertEqual(prices, sorted(prices))
        for o in found:
            self.assertGreater(o["price_usd_per_gpu_hour"], 0)
            self.assertIsNotNone(o["gpu"])
            self.assertIn(o["available"], (None, True, False))
            if o["gpu_count"] is not None:
                self.assertAlmostEqual(o["price_usd_per_hour"] / o["gpu_count"], o["price_usd_per_gpu_hour"], places=5)

    def test_cheapest_region_unless_all(self):
        every = self.offers("--all-regions", "--provider", "azure")
        best = self.offers("--provider", "azure")
        self.assertLess(len(best), len(every))

        def thing(o):
            return (o["provider"], o["instance"], o["gpu"], o["gpu_count"], o["listed_name"])
        self.assertEqual(len({thing(o) for o in best}), len(best))
        lowest = {}
        for o in every:
            lowest[thing(o)] = min(o["price_usd_per_hour"] or 0, lowest.get(thing(o), 1e9))
        self.assertEqual({thing(o): o["price_usd_per_hour"] or 0 for o in best}, lowest)

    def test_filters(self):
        self.assertEqual({o["pricing_model"] for o in self.offers("--spot")}, {"spot"})
        self.assertEqual({o["pricing_model"] for o in self.offers("--reserved", "3y")}, {"reserved-3y"})
        self.assertEqual({o["pricing_model"] for o in self.offers()}, {"on-demand"})
        self.assertEqual({o["provider"] for o in self.offers("--provider", "AWS")}, {"aws"})
        self.assertTrue(all("us-" in o["region"] for o in self.offers("--region", "us-")))
        self.assertTrue(all(o["price_usd_per_gpu_hour"] <= 1 for o in self.offers("--max-price", "1")))
        self.assertEqual({o["gpu_count"] for o in self.offers("--gpus", "4")}, {4})
        self.assertEqual({o["gpu"] for o in self.offers("--gpu", "mi300x")}, {"mi300x-192gb"})
        self.exits(2, "prices", "list", "--spot", "--reserved", "1y")
        self.exits(2, "prices", "list", "--gpu", "v100")

    def test_unknown_gpus_are_apart(self):
        self.assertTrue(all(o["mapped"] for o in self.offers()))
        unmapped = self.offers("--unmapped")
        self.assertTrue(unmapped)
        self.assertTrue(all(not o["mapped"] and o["gpu"] == o["listed_name"] for o in unmapped))

    def test_replaced_prices_are_left_out_and_counted(self):
        answer = self.json("prices", "list", "--all-regions")
        everything = self.json("prices", "list", "--all-regions", "--superseded")
        self.assertTrue(all(o["standing"] != "superseded" for o in answer["offers"]))
        self.assertEqual(len(answer["offers"]) + answer["left_out"]["superseded"], len(everything["offers"]))

    def test_age(self):
        ages = [o["age_days"] for o in self.offers("--all-regions")]
        oldest = max(a for a in ages if a <= 100)  # is not older than itself
        young = self.json("prices", "list", "--all-regions", "--max-age", str(oldest))
        self.assertEqual(len(young["offers"]), len([a for a in ages if a <= 100]))
        self.assertEqual(young["left_out"]["too_old"], len([a for a in ages if a > 100]))
        self.assertEqual(len(self.offers("--all-regions", "--max-age", f"{24 * oldest}h")), len(young["offers"]))
        refused = self.json("prices", "list", "--max-age", "0", code=6)
        self.assertEqual(refused["offers"], [])
        old = self.json("prices", "list", env={"GPUADVISE_NOW": "2030-01-01T00:00:00Z"})
        self.assertTrue(any("days old" in w for w in old["warnings"]))

    def test_no_offer_is_an_answer(self):
        answer = self.json("prices", "list", "--max-price", "0.0001", code=3)
        self.assertEqual(answer["offers"], [])
        out, _ = self.exits(3, "prices", "list", "--max-price", "0.0001")
        self.assertIn("No on-demand offer", out)
        answer = self.json("prices", "list", "--provider", "azuer", code=3)
        self.assertIn("did you mean 'azure'", answer["warnings"][0])

    def test_groups(self):
        for by in ("gpu", "provider", "region"):
            answer = self.json("prices", "list", "nvidia:", "--group-by", by)
            self.assertEqual(sum(g["offers"] for g in answer["groups"]), len(answer["offers"]))
            for g in answer["groups"]:
                prices = sorted(o["price_usd_per_gpu_hour"] for o in answer["offers"] if (o[by] or "unknown") == g[by])
                middle = (prices[(len(prices) - 1) // 2] + prices[len(prices) // 2]) / 2
                for key, want in (("min", prices[0]), ("median", middle), ("max", prices[-1])):
                    self.assertAlmostEqual(g[key + "_usd_per_gpu_hour"], want, places=6)

    def test_text_has_the_columns_people_know(self):
        head = self.ok("prices", "list", env={"COLUMNS": "1000"}).splitlines()[0]
        for title in ("GPU", "QTY", "PROVIDER", "INSTANCE", "GPU MEM", "vCPU", "RAM", "$/h", "$/GPU-h", "SPOT $/GPU-h", "REGION", "AVAILABLE", "AGE",
                      "SOURCE"):
            self.assertIn(title, head)


class Compat(harness.Case):
    def test_the_well_founded_come_first(self):
        order = ["current", "disputed", "unverified", "superseded"]
        claims = self.json("compat", "vllm")["claims"]
        self.assertEqual({c["subject"] for c in claims}, {"vllm"})
        ranks = [order.index(c["standing"]) for c in claims]
        self.assertEqual(ranks, sorted(ranks))
        for c in claims:
            self.assertTrue(c["source"] and c["as_of"])

    def test_platform(self):
        self.assertEqual({c["platform"] for c in self.json("compat", "--platform", "cuda")["claims"]}, {"cuda"})
        self.assertEqual({c["platform"] for c in self.json("compat", "pytorch", "--platform", "rocm")["claims"]}, {"rocm"})

    def test_libraries_and_packages(self):
        answer = self.json("compat", "cuBLAS")
        self.assertTrue(any("hipBLAS" in (row["rocm_name"] or "") for row in answer["libraries"]))
        self.assertEqual([p["package"] for p in self.json("compat", "bitsandbytes")["packages"]], ["bitsandbytes"])
        self.assertIn("CUDA library", self.ok("compat", "cuBLAS"))

    def test_part_of_a_name_finds_the_family(self):
        self.assertGreater(len({c["subject"] for c in self.json("compat", "flash-attention")["claims"]}), 1)
        self.assertEqual(self.json("compat", "Llama_CPP")["claims"], self.json("compat", "llama.cpp")["claims"])

    def test_unknown(self):
        _, err = self.exits(2, "compat", "pytroch")
        self.assertIn("did you mean 'pytorch'", err)


class Sources(harness.Case):
    def test_rows_add_up(self):
        count = {}
        for s in self.json("sources")["sources"]:
            count[s["table"]] = count.get(s["table"], 0) + s["rows"]
        self.assertEqual(count["gpus"], len(self.json("gpus")["gpus"]))
        self.assertEqual(count["models"], len(self.json("models")["models"]))
        tables = {t["table"]: t["rows"] for t in self.json("doctor")["tables"]}
        self.assertEqual(count, {t: n for t, n in tables.items() if t in count})

    def test_show(self):
        self.assertEqual({s["table"] for s in self.json("sources", "show", "engine_limits")["sources"]}, {"engine_limits"})
        _, err = self.exits(2, "sources", "show", "gpu-table")
        self.assertIn("gpu-table", err)


class Doctor(harness.Case):
    def test_says_what_it_uses(self):
        env = {"GPUADVISE_SYSROOT": self.home}  # a machine without GPUs
        answer = self.json("doctor", env=env)
        self.assertEqual(answer["version"], answer["tool_version"])
        self.assertRegex(answer["libraries"]["sqlite"], r"^3\.\d+")
        self.assertEqual(answer["database"]["path"], os.path.join(self.home, "data/gpuadvise/catalog.db"))
        self.assertGreater(answer["database"]["size_bytes"], 0)
        self.assertEqual(answer["problems"], [])
        self.assertEqual(answer["devices"], [])
        self.assertEqual(answer["embedded"], self.json("version")["embedded"])
        text = self.ok("doctor", env=env)
        self.assertIn("no GPU of NVIDIA or AMD is visible", text)
        self.assertIn(answer["database"]["path"], text)

    def test_never_prints_a_password(self):
        env = {"HTTPS_PROXY": "http://me:s3cret@proxy:3128", "http_proxy": "me:s3cret@proxy"}
        for args in (["doctor"], ["doctor", "--json"]):
            out = self.ok(*args, env=env)
            self.assertNotIn("s3cret", out)
            self.assertIn("***@proxy", out)

    def test_reports_a_broken_database(self):
        path = self.write("broken.db", "no database at all, " * 100)
        answer = self.json("doctor", "--db", path, code=1)
        self.assertIn("broken.db", answer["problems"][0])


class Words(harness.Case):
    """help, version, completion; and how the words of a command line are read."""

    def test_version(self):
        for args in (["version"], ["--version"], ["-V"], ["gpus", "--version"]):
            self.assertRegex(self.ok(*args), r"^gpuadvise \d+\.\d+\.\d+\nDevice code for NVIDIA: sm_")
        self.assertEqual(self.json("--version")["command"], "version")

    def test_every_build_has_code_for_both_vendors(self):
        """What cmake/Device.cmake lists is linked, whether it was compiled here or is the committed one."""
        with open(os.path.join(harness.ROOT, "cmake/Device.cmake"), encoding="utf-8") as f:
            lists = dict(re.findall(r"(?m)^set\((ptx_targets|amd_targets) (.*)\)$", f.read()))
        embedded = self.json("version")["embedded"]
        self.assertEqual(embedded["amdgpu"], sorted(lists["amd_targets"].split()))
        self.assertEqual({p["target"] for p in embedded["ptx"]}, {t.split(":")[0] for t in lists["ptx_targets"].split()})
        self.assertEqual(sorted(os.listdir(os.path.join(harness.ROOT, "kernels/prebuilt"))),
                         sorted([t + ".hsaco" for t in embedded["amdgpu"]] + [p["target"] + ".ptx" for p in embedded["ptx"]]))

    def test_help_of_unknown_command(self):
        _, err = self.exits(2, "help", "modles")
        self.assertIn("did you mean 'models'", err)

    def test_help_hides_what_is_not_there(self):
        text = self.ok("help", "report")
        self.assertIn("--workload", text)

    def test_man_page_is_clean_roff(self):
        page = self.write("gpuadvise.1", self.ok("help", "--man"))
        if subprocess.run(["which", "groff"], stdout=subprocess.DEVNULL, check=False).returncode == 0:
            done = subprocess.run(["groff", "-man", "-ww", "-z", page], stderr=subprocess.PIPE, check=True)
            self.assertEqual(done.stderr, b"")
        with open(page, encoding="utf-8") as f:
            text = f.read()
        for part in (".SS prices", "\\-\\-all\\-regions", ".SH EXIT STATUS", ".B 130"):
            self.assertIn(part, text)

    def complete(self, *words):
        script = self.write("complete.bash", self.ok("completion", "bash"))
        quoted = " ".join(f"'{w}'" for w in ("gpuadvise",) + words)
        line = f"gpuadvise() {{ '{harness.BIN}' \"$@\"; }}; source '{script}'; COMP_WORDS=({quoted}); COMP_CWORD={len(words)}; _gpuadvise; " \
               "echo \"${COMPREPLY[@]}\""
        return subprocess.run(["bash", "-c", line], env=harness.environment(self.home), stdout=subprocess.PIPE, check=True).stdout.decode().split()

    def test_completion_of_bash(self):
        self.assertEqual(self.complete("gp"), ["gpus"])
        self.assertEqual(self.complete("gpus", "s"), ["show"])
        self.assertEqual(self.complete("gpus", "--ven"), ["--vendor"])
        self.assertEqual(self.complete("gpus", "--vendor", "a"), ["amd"])
        self.assertEqual(self.complete("estimate", "--gpu", "mi300x"), ["mi300x-192gb"])
        self.assertEqual(self.complete("help", "wor"), ["workloads"])
        self.assertIn("--stack", self.complete("report", "--"))

    def test_unknown_shell(self):
        _, err = self.exits(2, "completion", "tcsh")
        self.assertIn("one of: bash, zsh, fish", err)
        self.exits(2, "completion")

    def test_options_and_values(self):
        self.assertEqual(self.ok("gpus", "--vendor=amd"), self.ok("gpus", "--vendor", "AMD"))
        self.assertEqual(self.ok("gpus", "--vendor", "nvidia", "--vendor", "amd"), self.ok("gpus", "--vendor", "amd"))
        self.assertEqual(self.ok("gpus", "--json", "--format", "table"), self.ok("gpus"))
        self.assertEqual(self.ok("gpus", "-q", "--", "show", "mi300x"), self.ok("gpus", "show", "mi300x"))
        self.exits(2, "gpus", "--vendor")
        self.exits(2, "gpus", "--vendor", "--json")
        self.exits(2, "gpus", "--vendor=")
        self.exits(2, "gpus", "--json=yes")
        self.exits(2, "gpus", "-x")
        self.exits(2, "gpus", "-qv")
        _, err = self.exits(2, "gpus", "--isl", "5")
        self.assertIn("'report'", err)

    def test_output_dash_is_stdout(self):
        self.assertEqual(self.ok("gpus", "-o", "-"), self.ok("gpus"))
        path = os.path.join(self.home, "list.txt")
        self.ok("gpus", "-o" + path)
        with open(path, encoding="utf-8") as f:
            self.assertEqual(f.read(), self.ok("gpus"))

    def test_an_interrupt_ends_with_130(self):
        pipe = os.path.join(self.home, "pipe")
        os.mkfifo(pipe)
        self.ok("gpus")
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            tool = subprocess.Popen([harness.BIN, "gpus", "-o", pipe], env=harness.environment(self.home), stdout=subprocess.DEVNULL)
            self.addCleanup(tool.kill)
            with self.assertRaises(subprocess.TimeoutExpired):
                tool.wait(0.5)  # nobody reads the pipe
            tool.send_signal(number)
            self.assertEqual(tool.wait(10), code)

    def test_settings_file(self):
        config = "config/gpuadvise/config"
        self.write(config, "\ufeff# a comment\n  vendor = amd   # mine\r\n\nmax-age=400d\n")
        self.assertEqual({g["vendor"] for g in self.json("gpus")["gpus"]}, {"amd"})
        self.assertEqual({g["vendor"] for g in self.json("gpus", "--vendor", "nvidia")["gpus"]}, {"nvidia"})
        self.assertEqual({g["vendor"] for g in self.json("gpus", env={"GPUADVISE_VENDOR": "nvidia"})["gpus"]}, {"nvidia"})
        for line in ("vendor", "= amd", "vendr = amd", "isl = -1", "output = x", "source = y", "vendor = \0"):
            self.write(config, "\n" + line + "\n")
            _, err = self.exits(2, "gpus")
            self.assertIn("config:2", err)
        self.ok("version")
        self.ok("help")

    def test_strange_settings_files_do_no_harm(self):
        path = os.path.join(self.home, "config/gpuadvise/config")
        os.makedirs(path)
        self.exits(2, "gpus")
        os.rmdir(path)
        os.mkfifo(path)
        self.exits(2, "gpus", timeout=10)
        os.remove(path)
        self.write("config/gpuadvise/config", "# " + "x" * 1000000)
        self.exits(2, "gpus")

    def test_frozen_time(self):
        for text, want in (("2026-11-27", "2026-11-27T00:00:00Z"), ("2026-11-27T10:00:00+05:30", "2026-11-27T04:30:00Z"),
                           ("2026-11-27T10:00:00.25Z", "2026-11-27T10:00:00Z")):
            self.assertEqual(self.json("version", env={"GPUADVISE_NOW": text})["generated_at"], want)
        for text in ("2026-11-27T10:00", "2026-13-01", "now", "2026-11-27T25:00:00Z", "2026-11-27T10:00:00"):
            self.exits(2, "version", env={"GPUADVISE_NOW": text})
        self.assertTrue(re.match(r"20\d\d-", self.json("version", env={"GPUADVISE_NOW": None})["generated_at"]))


if __name__ == "__main__":
    harness.main()
