"""No option is taken and then ignored: it changes the answer, is refused, or says why it does nothing here."""
import json
import re

import harness

# A value for each option that a command takes beside the global ones; None: a flag.
VALUES = {
    "--assume-dense": None, "--isl": "300", "--osl": "77", "--concurrency": "7", "--batch": "3", "--rate": "0.7", "--sessions": "9", "--ttft": "900",
    "--tpot": "25", "--duty-cycle": "0.4", "--jobs-per-month": "3", "--gpu": "mi300x", "--vendor": "amd", "--exclude-gpu": "h100-sxm5", "--gpus": "2",
    "--fleet": "8", "--site-kw": "9", "--power-cap": "500", "--engine": "sglang", "--weights": "fp8", "--kv": "fp8", "--tp": "2", "--pp": "2", "--ep": "2",
    "--dp": "2", "--prefill-gpus": "1", "--cached-prompt": "0.5", "--draft-tokens": "2", "--accepted-tokens": "2", "--host-gb": "400",
    "--memory-fraction": "0.5", "--split": "layer", "--gpu-layers": "10", "--cpu-offload": "3", "--cpu-experts": None, "--host-gb-s": "100",
    "--traffic": "rag-shared-prefix", "--start-min": "9", "--billing-min": "30", "--growth": "5", "--map": "time=t", "--block-tokens": "16",
    "--provider": "runpod", "--exclude-provider": "runpod", "--region": "us", "--spot": None, "--reserved": "1y", "--max-price": "2", "--max-age": "9999",
    "--price": "lambda:h100-sxm5=0.4", "--discount": "runpod=50", "--current": "h100-sxm5@2.5", "--onprem": None, "--gpu-price": "h100-sxm5=9000",
    "--host-price-factor": "3", "--amortise-months": "12", "--residual": "60", "--capital-rate": "30", "--power-price": "0.4", "--pue": "1.9",
    "--api-usd-per-mtok": "1", "--api-input-usd-per-mtok": "0.2", "--rocm": "6.4", "--team": "novice", "--team-size": "3", "--test-coverage": "0.1",
    "--exclude": "x", "--engineer-day-usd": "2000", "--horizon-months": "3", "--discount-rate": "30", "--movable-share": "0.5", "--top": "3",
    "--pareto": None, "--fail-over-usd-per-mtok": "0.001", "--seed": "77",
}
# Names a subject, a file that has to be there, or what tests of their own hold.
NOT_TRIED = {"--workload", "--model", "--stack", "--source", "--fail-if-verdict-changes"}


class Ignored(harness.Case):
    def options(self, command):
        """What the command takes beside what every command takes."""
        def named(*words):
            return set(re.findall(r"^ +(?:-\w, )?(--[a-z-]+)", self.ok(*words), re.M))
        return sorted(named(command, "--help") - named("version", "--help"))

    def answer(self, *words):
        code, out, _ = self.run_tool(*words, "--json")
        try:
            answer = json.loads(out)
        except ValueError:
            answer = {}
        for key in ("generated_at", "inputs"):
            answer.pop(key, None)
        return code, answer

    def walk(self, command, *subject, same=()):
        """`same`: changes nothing by its nature."""
        plain = self.answer(command, *subject)
        self.assertEqual(plain[0], 0)
        for option in self.options(command):
            if option in NOT_TRIED:
                continue
            self.assertIn(option, VALUES, "a value to try it with")
            value = [VALUES[option]] if VALUES[option] is not None else []
            got = self.answer(command, *subject, option, *value)
            ignored = got[0] != 2 and got == plain
            self.assertEqual(ignored, option in same, f"{command} {' '.join(subject)} {option}")

    @harness.once
    def test_estimates_of_embeddings(self):
        self.walk("estimate", "bge-large-en-v1.5", "h100-sxm5", same={"--assume-dense"})
        for option in ("--host-gb", "--memory-fraction", "--sessions", "--host-gb-s"):
            words = ("estimate", "bge-large-en-v1.5", "h100-sxm5", option, VALUES[option])
            self.assertIn(f"option '{option}' is for token serving", self.exits(2, *words)[1])

    @harness.once
    def test_reports_of_every_kind_that_serves_no_tokens(self):
        for workload, same in (("hpc-md", {"--seed"}), ("llama13b-train", {"--seed"}), ("sdxl-images", set()), ("embed-docs", set())):
            self.walk("report", workload, same={"--assume-dense", "--max-age", *same})

    def test_what_a_kind_has_no_place_for(self):
        for words, says in ((("sdxl-images", "--isl", "300"), "reads no tokens"), (("hpc-md", "--isl", "300"), "reads no tokens"),
                            (("hpc-md", "--weights", "fp8"), "runs no model"), (("llama70b", "--start-min", "9"), "give --traffic as well"),
                            (("llama70b", "--map", "time=t"), "give --traffic as well"),
                            (("rag-shared-prefix", "--traffic", "rag-shared-prefix", "--block-tokens", "16"), "is of a file"),
                            (("agentic-coding", "--traffic", "agentic-coding", "--billing-min", "30"), "is of sessions")):
            self.assertIn(says, self.exits(2, "report", *words)[1], words)


if __name__ == "__main__":
    harness.main()
