// Examples of every command, for help and the man page. tests/cli/test_help.py runs them.
#include "cli/help.h"

const Example example_table[] = {
    {"report", "", "gpuadvise report llama70b", "the advice for a workload of the catalog"},
    {"report", "", "gpuadvise report llama70b --vendor amd --concurrency 32",
     "the cheapest of AMD, 32 in flight"},
    {"report", "", "gpuadvise report llama-3.1-8b --isl 2000 --osl 300 --rate 5",
     "a model with a load of your own"},
    {"report", "", "gpuadvise report llama70b --current 8xh100@2.50 --format html -o advice.html",
     "beside what runs today, as a page"},
    {"report", "diff", "gpuadvise report diff before.json after.json", "what moved the verdict"},

    {"estimate", "", "gpuadvise estimate llama-3.1-70b mi300x", "does it fit on one, and how fast is it"},
    {"estimate", "", "gpuadvise estimate llama-3.1-70b h200 --gpus 8 --tp 4 --concurrency 64",
     "two replicas of four GPUs each"},
    {"estimate", "", "gpuadvise estimate llama-3.1-8b mi300x --weights fp8 --explain",
     "how the numbers came about"},

    {"validate", "", "gpuadvise validate --measurements mine.csv",
     "the estimator against measurements of your own"},
    {"validate", "", "gpuadvise validate --leave-out cell --gate",
     "against cells that it was not fitted to; exit 4 over the limits"},
    {"validate", "", "gpuadvise validate --runs --format md -o errors.md",
     "on runs that you imported, to hand on"},

    {"calibrate", "", "gpuadvise calibrate", "the efficiency factors and where they come from"},
    {"calibrate", "", "gpuadvise calibrate --measurements mine.csv",
     "what measurements of your own would move"},
    {"calibrate", "", "gpuadvise calibrate --tasks --tsv -o task_efficiency.tsv",
     "the table of training, images and the rest"},

    {"gpus", "list", "gpuadvise gpus --where 'amd memory_gb>=192' --sort=-bf16_tflops",
     "AMD's large ones, the fastest first"},
    {"gpus", "show", "gpuadvise gpus mi300x", "every figure of one"},
    {"gpus", "add",
     "gpuadvise gpus add my-gpu vendor=amd architecture=cdna3 link_topology=mesh memory_gb=192 "
     "memory_bw_gb_s=5300 "
     "bf16_tflops=1300",
     "a GPU of your own"},
    {"gpus", "import", "gpuadvise gpus import gpus.csv", "several from a file"},
    {"gpus", "remove", "gpuadvise gpus remove my-gpu", "without it again"},

    {"models", "list", "gpuadvise models --where llama --sort=-params_total",
     "the Llamas, the largest first"},
    {"models", "show", "gpuadvise models llama-3.1-70b", "the shape of one, and its source"},
    {"models", "add",
     "gpuadvise models add my-model family=dense attention=gqa weights_native=bf16 params_total=8.03e9 "
     "layers=32 "
     "hidden=4096 heads=32 kv_heads=8 head_dim=128 intermediate=14336 vocab=128256",
     "a model of your own"},
    {"models", "import", "gpuadvise models import models.csv", "several from a file"},
    {"models", "remove", "gpuadvise models remove my-model", "without it again"},

    {"workloads", "list", "gpuadvise workloads", "what `report` can be asked about"},
    {"workloads", "show", "gpuadvise workloads llama70b", "one with its limits"},
    {"workloads", "add",
     "gpuadvise workloads add my-chat kind=serve model_id=llama-3.1-70b isl_tokens=2000 osl_tokens=300 "
     "concurrency=64",
     "a workload of your own"},
    {"workloads", "import", "gpuadvise workloads import workloads.csv", "several from a file"},
    {"workloads", "remove", "gpuadvise workloads remove my-chat", "without it again"},

    {"traffic", "describe", "gpuadvise traffic describe access.jsonl", "lengths, bursts and reuse of a log"},
    {"traffic", "import", "gpuadvise traffic import mine access.jsonl", "keep that under a name"},
    {"traffic", "show", "gpuadvise traffic mine", "what was kept"},
    {"traffic", "list", "gpuadvise traffic", "all that there are"},
    {"traffic", "remove", "gpuadvise traffic remove mine", "forget it"},

    {"prices", "list", "gpuadvise prices list mi300x", "who rents it, the cheapest first"},
    {"prices", "list", "gpuadvise prices list --where 'amd !vast age<30' --sort price_usd_per_hour",
     "of AMD, not at vast, seen within 30 days, by the price of the instance"},
    {"prices", "list", "gpuadvise prices list --group-by provider --vendor nvidia",
     "from .. to of every provider"},
    {"prices", "refresh", "gpuadvise prices refresh runpod vast", "ask two providers"},
    {"prices", "history", "gpuadvise prices history mi300x --since 60d", "how its price moved"},
    {"prices", "diff", "gpuadvise prices diff --since 7d", "what changed in a week"},
    {"prices", "import", "gpuadvise prices import quote.csv --provider acme", "a quote of a seller"},
    {"prices", "export", "gpuadvise prices export --snapshot prices.snap --secret-key minisign.key",
     "refreshed prices for machines without a network"},
    {"prices", "accept", "gpuadvise prices accept runpod", "take in what was quarantined of a provider"},
    {"prices", "prune", "gpuadvise prices prune --older-than 365d", "forget old history"},

    {"check", "", "gpuadvise check llama-3.1-70b h100 --gpus 8 --tokens-per-s 24000",
     "is a claimed speed possible"},
    {"check", "", "gpuadvise check llama-3.1-8b mi300x --usd-per-hour 2 --usd-per-mtok 0.05",
     "is a claimed cost"},
    {"check", "", "gpuadvise check --claims", "public claims, judged"},

    {"tui", "", "gpuadvise tui", "the screen"},
    {"tui", "", "gpuadvise tui prices", "the same, from another view"},
    {"tui", "", "gpuadvise tui --once advice --size 120x36", "one frame as text"},

    {"compat", "list", "gpuadvise compat --where 'rocm experimental'", "what is experimental on ROCm"},
    {"compat", "show", "gpuadvise compat vllm", "claims about vLLM side by side"},
    {"compat", "add", "gpuadvise compat add vllm platform=rocm status=full note='runs here'",
     "what you have seen"},
    {"compat", "import", "gpuadvise compat import claims.csv", "several from a file"},
    {"compat", "remove", "gpuadvise compat remove vllm", "without it again"},

    {"stack", "init", "gpuadvise stack init -o my.stack", "an example to edit"},
    {"stack", "show", "gpuadvise stack show my.stack", "what becomes of each entry on AMD"},
    {"stack", "show", "gpuadvise stack show my.stack --gpu mi300x", "on one GPU"},

    {"migrate", "scan", "gpuadvise migrate scan src", "days, findings and dependencies of a tree"},
    {"migrate", "scan", "gpuadvise migrate scan src --class blocker,manual --format csv",
     "what a person has to do, as a table"},
    {"migrate", "explain", "gpuadvise migrate explain warp-mask-literal32", "what a rule means"},
    {"migrate", "api", "gpuadvise migrate api cudaMemcpyAsync", "what becomes of a name"},
    {"migrate", "fix", "gpuadvise migrate fix src -o port.patch", "the part that can be proven"},
    {"migrate", "ports", "gpuadvise migrate ports", "how good the days are"},

    {"bench", "", "gpuadvise bench --quick", "measure and verify this machine in a minute"},
    {"bench", "", "gpuadvise bench gemm-bf16 --device gpu0 --fail-if low,throttled",
     "one test of one GPU, as a gate"},
    {"bench", "list", "gpuadvise bench list", "the tests"},
    {"bench", "runs", "gpuadvise bench runs", "what was measured"},
    {"bench", "compare", "gpuadvise bench compare 1 2", "two runs"},
    {"bench", "verify", "gpuadvise bench verify --reference other.json", "the same bits as another machine"},
    {"bench", "export", "gpuadvise bench export -o runs.json", "for another machine"},
    {"bench", "import", "gpuadvise bench import runs.json", "there"},

    {"bench", "fleet", "gpuadvise bench fleet records --expect 'node[01-16]'",
     "the nodes of a job that left records"},

    {"runs", "import",
     "gpuadvise runs import results --gpu mi300x --gpus 1 --engine vllm:0.9.0 --weights bf16 --dry-run",
     "what would be taken of a folder"},
    {"runs", "list", "gpuadvise runs --where vllm", "those of vLLM"},
    {"runs", "show", "gpuadvise runs 1", "one in full"},
    {"runs", "compare", "gpuadvise runs compare 1 2", "two side by side"},
    {"runs", "plan", "gpuadvise runs plan llama70b", "what to measure next"},
    {"runs", "export", "gpuadvise runs export --redact -o mine.json", "without hosts and names of files"},
    {"runs", "accept", "gpuadvise runs accept 1", "let a quarantined run count"},
    {"runs", "remove", "gpuadvise runs remove 1", "forget it"},

    {"sources", "list", "gpuadvise sources", "where the facts come from"},
    {"sources", "list", "gpuadvise sources --sort newest --where offers", "of prices, the oldest first"},
    {"sources", "show", "gpuadvise sources gpus", "of one table"},

    {"doctor", "", "gpuadvise doctor", "versions, ages and surroundings"},
    {"doctor", "", "gpuadvise doctor --json", "the same for a program"},
    {"doctor", "", "gpuadvise doctor -o doctor.txt", "the same for a bug report"},

    {"help", "", "gpuadvise help report", "what a command does and takes"},
    {"help", "", "gpuadvise help prices list", "the same of a subcommand"},
    {"help", "", "gpuadvise help --man -o gpuadvise.1", "the manual, for `man -l gpuadvise.1`"},

    {"completion", "", "gpuadvise completion bash -o gpuadvise.bash",
     "then `source gpuadvise.bash` in ~/.bashrc"},
    {"completion", "", "gpuadvise completion zsh -o _gpuadvise", "into a folder of $fpath"},
    {"completion", "", "gpuadvise completion fish -o gpuadvise.fish", "into ~/.config/fish/completions"},

    {"version", "", "gpuadvise version", ""},
    {"version", "", "gpuadvise version --json", "for a program"},
    {"version", "", "gpuadvise --version", "the same as an option"},
};
const size_t n_examples = COUNT_OF(example_table);
