// The option table: every option of every command, once.
#include <string.h>

#include "cli/cli.h"
#include "src/migrate/effort.h"
#include "tui/tui.h"

static const char *const color_choices[] = {"auto", "always", "never", NULL};
static const char *const term_choices[] = {"1y", "3y", NULL};
static const char *const group_choices[] = {"gpu", "provider", "region", NULL};
static const char *const price_of_choices[] = {"instance", "gpu", NULL};
static const char *const leave_out_choices[] = {"none", "cell", "source", "publisher", "block", NULL};
static const char *const split_choices[] = {"layer", "row", NULL};
static const char *const platform_choices[] = {"rocm", "cuda", NULL};

#define TOKENS_MAX 1e9
#define MS_MAX 1e9
#define USD_MAX 1e9
#define SMALLEST 1e-6  // of what must be over zero

// What an option takes, then who may set it.
#define FLAG .kind = OPTION_FLAG
#define TEXT(m) .kind = OPTION_TEXT, .metavar = m
#define INTEGER(lo, hi) .kind = OPTION_INTEGER, .metavar = "N", .min = lo, .max = hi
#define NUMBER(m, lo, hi) .kind = OPTION_NUMBER, .metavar = m, .min = lo, .max = hi
#define TERM(m) .kind = OPTION_NUMBER, .metavar = m, .term = true
#define CHOICE(m, list) .kind = OPTION_CHOICE, .metavar = m, .choices = list
#define SETTING .setting = true
#define SEVERAL .repeat = true, .several_in = "report"

// clang-format off
const char *const bench_gate_names[] = {
    [GATE_LOW] = "low", [GATE_THROTTLED] = "throttled", [GATE_ECC] = "ecc", [GATE_MIXED] = "mixed", NULL};

const OptionSpec option_table[OPT_COUNT] = {
    [OPT_DB] = {"db", 0, TEXT("FILE"), .global = true, SETTING, .help = "database to use instead of the one in the data folder"},
    [OPT_DATA] = {"data", 0, TEXT("DIR"), .global = true, SETTING, .help = "read the facts from this folder instead of the built-in ones"},
    [OPT_FORMAT] = {"format", 0, CHOICE("FORMAT", format_names), .global = true, SETTING, .help = "table, json, csv, md, html, sarif, slurm or k8s, where it makes sense"},
    [OPT_JSON] = {"json", 0, FLAG, .global = true, .help = "short for --format json"},
    [OPT_OUTPUT] = {"output", 'o', TEXT("FILE"), .global = true, .help = "write the answer to a file, whole or not at all"},
    [OPT_EXPLAIN] = {"explain", 0, FLAG, .global = true, .help = "show how each number came about"},
    [OPT_COLOR] = {"color", 0, CHOICE("WHEN", color_choices), .global = true, SETTING, .help = "auto, always or never"},
    [OPT_OFFLINE] = {"offline", 0, FLAG, .global = true, SETTING, .help = "refuse any use of the network"},
    [OPT_NO_PAGER] = {"no-pager", 0, FLAG, .global = true, SETTING, .help = "print long answers on a terminal without a pager"},
    [OPT_QUIET] = {"quiet", 'q', FLAG, .global = true, SETTING, .help = "no warnings on standard error"},
    [OPT_VERBOSE] = {"verbose", 'v', FLAG, .global = true, SETTING, .help = "say what is read and written, on standard error"},
    [OPT_HELP] = {"help", 'h', FLAG, .global = true, .help = "help for the program or for a command"},
    [OPT_VERSION] = {"version", 'V', FLAG, .global = true, .help = "version of the program"},

    [OPT_WORKLOAD] = {"workload", 0, TEXT("NAME"), SETTING, .help = "what to run; see `gpuadvise workloads`"},
    [OPT_MODEL] = {"model", 0, TEXT("NAME|PATH"), SETTING, .help = "model to run: see `gpuadvise models`; or a config.json, GGUF or safetensors file, or their folder"},
    [OPT_ASSUME_DENSE] = {"assume-dense", 0, FLAG, SETTING, .help = "take a model file of an unknown architecture for a plain decoder"},
    [OPT_ISL] = {"isl", 0, INTEGER(1, TOKENS_MAX), SETTING, .help = "input tokens of a request"},
    [OPT_OSL] = {"osl", 0, INTEGER(1, TOKENS_MAX), SETTING, .help = "output tokens of a request"},
    [OPT_TTFT] = {"ttft", 0, NUMBER("MS", 0.001, MS_MAX), SETTING, .help = "longest time to first token at p99, in milliseconds"},
    [OPT_TPOT] = {"tpot", 0, NUMBER("MS", 0.001, MS_MAX), SETTING, .help = "longest time per output token at p99, in milliseconds"},
    [OPT_RATE] = {"rate", 0, NUMBER("R", SMALLEST, 1e9), SETTING, .help = "offered load in requests per second"},
    [OPT_CONCURRENCY] = {"concurrency", 0, INTEGER(1, 1e9), SETTING, .help = "requests in flight"},
    [OPT_BATCH] = {"batch", 0, INTEGER(1, 1e9), SETTING, .help = "sequences in the batch; the same as --concurrency"},
    [OPT_GPU] = {"gpu", 0, TEXT("SKU"), SETTING, SEVERAL, .help = "GPU by name; see `gpuadvise gpus`; report: several with commas"},
    [OPT_GPUS] = {"gpus", 0, INTEGER(1, 100000), SETTING, .help = "number of GPUs"},
    [OPT_FLEET] = {"fleet", 0, INTEGER(1, 100000), SETTING, .help = "exactly so many GPUs in whole instances, and what they carry within the limits"},
    [OPT_SITE_KW] = {"site-kw", 0, NUMBER("KW", 0.01, 1e6), SETTING, .help = "power that the site has for an option at full load, servers and cooling (--pue) included"},
    [OPT_TP] = {"tp", 0, INTEGER(1, 1024), SETTING, .help = "tensor-parallel size"},
    [OPT_PP] = {"pp", 0, INTEGER(1, 1024), SETTING, .help = "pipeline-parallel size"},
    [OPT_EP] = {"ep", 0, INTEGER(1, 1024), SETTING, .help = "expert-parallel size"},
    [OPT_DP] = {"dp", 0, INTEGER(1, 100000), SETTING, .help = "data-parallel replicas"},
    [OPT_PREFILL_GPUS] = {"prefill-gpus", 0, INTEGER(1, 100000), SETTING, .help = "of --gpus so many only read prompts, and the others only write answers (disaggregated serving)"},
    [OPT_DRAFT_TOKENS] = {"draft-tokens", 0, INTEGER(1, 64), SETTING, .help = "tokens speculated a step, by the model's own head or a draft model"},
    [OPT_ACCEPTED_TOKENS] = {"accepted-tokens", 0, NUMBER("X", 1, 65), SETTING, .former = "kept-tokens", .key = "kept_tokens", .help = "tokens that a step with speculation gives on average, its own and the accepted drafts: 1 to 1 + --draft-tokens"},
    [OPT_CACHED_PROMPT] = {"cached-prompt", 0, NUMBER("X", 0, 1), SETTING, .help = "share of each prompt that a prefix cache holds, 0-1"},
    [OPT_POWER_CAP] = {"power-cap", 0, NUMBER("W", 1, 10000), SETTING, .help = "power limit of each GPU in watts"},
    [OPT_HOST_GB] = {"host-gb", 0, NUMBER("GB", 0.001, 1e6), SETTING, .help = "host memory for caches of one replica, behind those of its GPUs (10^9 bytes)"},
    [OPT_SPLIT] = {"split", 0, CHOICE("WAY", split_choices), .help = "llama.cpp: several GPUs by layer, which take turns, or by row, which share every product"},
    [OPT_GPU_LAYERS] = {"gpu-layers", 0, INTEGER(1, 10000), .help = "llama.cpp: layers on the GPUs; the CPU works on the others in host memory"},
    [OPT_CPU_OFFLOAD] = {"cpu-offload", 0, INTEGER(1, 10000), .help = "llama.cpp: layers left in host memory, in place of --gpu-layers"},
    [OPT_CPU_EXPERTS] = {"cpu-experts", 0, FLAG, .help = "llama.cpp: routed experts of all layers stay in host memory"},
    [OPT_HOST_GB_S] = {"host-gb-s", 0, NUMBER("GB/S", 1, 1e5), SETTING, .help = "llama.cpp: bandwidth of host memory (10^9 bytes) for what stays there; else that of a kept `bench` run of this CPU"},
    [OPT_MEMORY_FRACTION] = {"memory-fraction", 0, NUMBER("X", 0.1, 1), SETTING, .help = "share of GPU memory that the engine is told to take, 0.1-1, instead of its own default"},
    [OPT_VENDOR] = {"vendor", 0, CHOICE("VENDOR", vendor_names), SETTING, SEVERAL, .help = "nvidia or amd only"},
    [OPT_EXCLUDE_GPU] = {"exclude-gpu", 0, TEXT("SKU"), SETTING, .repeat = true, .help = "every GPU but this; several with commas"},
    [OPT_ENGINE] = {"engine", 0, TEXT("NAME"), SETTING, SEVERAL, .help = "serving engine: vllm, sglang, tensorrt-llm, llama.cpp, ...; report: several with commas"},
    [OPT_WEIGHTS] = {"weights", 0, CHOICE("DTYPE", dtype_names + 1), SETTING, .help = "dtype of the weights: bf16, fp8, int4, ..."},
    [OPT_KV] = {"kv", 0, CHOICE("DTYPE", dtype_names + 1), SETTING, .help = "dtype of the KV cache: bf16, fp8, ..."},

    [OPT_SPOT] = {"spot", 0, FLAG, SETTING, .help = "spot prices instead of on-demand ones"},
    [OPT_RESERVED] = {"reserved", 0, CHOICE("TERM", term_choices), SETTING, .help = "prices reserved for 1y or 3y instead of on-demand ones"},
    [OPT_PROVIDER] = {"provider", 0, TEXT("NAME"), SETTING, SEVERAL, .help = "offers of this provider only (report: several with commas); prices import: whose prices they are, where the list does not tell"},
    [OPT_EXCLUDE_PROVIDER] = {"exclude-provider", 0, TEXT("NAME"), SETTING, .repeat = true, .help = "offers of every provider but this; several with commas"},
    [OPT_REGION] = {"region", 0, TEXT("NAME"), SETTING, .help = "offers in regions with this in their name only"},
    [OPT_MAX_PRICE] = {"max-price", 0, NUMBER("USD", SMALLEST, USD_MAX), SETTING, .help = "highest price in $/GPU-h"},
    [OPT_PRICE] = {"price", 0, .kind = OPTION_PAIR, .metavar = "PROVIDER:GPU=USD", .min = SMALLEST, .max = USD_MAX, SETTING, .repeat = true,
                   .help = "what a provider would list for a GPU-hour of a GPU instead of what it does, as old as that (a quote of today: `prices import`): runpod:mi300x=2.10"},
    [OPT_DISCOUNT] = {"discount", 0, .kind = OPTION_PAIR, .metavar = "PROVIDER=PCT", .min = 0, .max = 99.9, SETTING, .repeat = true,
                      .help = "your own discount with a provider, in percent"},
    [OPT_DUTY_CYCLE] = {"duty-cycle", 0, NUMBER("X", 0.001, 1), SETTING, .help = "share of paid hours that carry the load, 0-1"},
    [OPT_MAX_AGE] = {"max-age", 0, .kind = OPTION_AGE, .metavar = "N[h|d]", .min = 0, .max = 36500, SETTING,
                     .help = "leave out offers older than this many days (or hours)"},
    [OPT_ALL_REGIONS] = {"all-regions", 0, FLAG, SETTING, .help = "every region, not only the cheapest of each instance"},
    [OPT_UNMAPPED] = {"unmapped", 0, FLAG, .help = "offers of GPUs that the catalog does not know"},
    [OPT_SUPERSEDED] = {"superseded", 0, FLAG, .help = "also offers that a newer price has replaced"},
    [OPT_GROUP_BY] = {"group-by", 0, CHOICE("WHAT", group_choices), .help = "lowest and highest price per gpu, provider or region"},

    [OPT_COUNTRY] = {"country", 0, TEXT("CC"), SETTING, .repeat = true, .help = "offers in these countries only (ISO 3166, two letters; eu: the European Union); offers of unknown country are left out"},
    [OPT_AVAILABLE] = {"available", 0, FLAG, SETTING, .help = "leave out offers that could not be had when they were seen last"},
    [OPT_QUARANTINED] = {"quarantined", 0, FLAG, .help = "rows that refreshes quarantined, with the reason and the id for `prices accept`"},
    [OPT_SORT] = {"sort", 0, TEXT("COLUMN[,...]"), SETTING, .help = "order by these columns, by key or title; '-' before one: descending (prices also: price, hour)"},
    [OPT_WHERE] = {"where", 0, TEXT("FILTER"), .help = "rows that fit, as '/' in the screen: amd !vast 'h100|h200' 'age<30' 'provider=azure'; columns by key or title"},
    [OPT_SINCE] = {"since", 0, TEXT("DATE|N[h|d]"), .help = "from this date (YYYY-MM-DD) on, or from that many days or hours ago"},
    [OPT_CURRENCY_RATE] = {"usd-per", 0, .kind = OPTION_RATE, .metavar = "CUR=USD@DATE", .min = 1e-6, .max = 1e6, SETTING, .repeat = true,
                           .help = "a dated exchange rate of your own, such as EUR=1.08@2026-11-20; prices in other currencies are held without one"},
    [OPT_NAME] = {"name", 0, TEXT("NAME"), .help = "name of the imported list; the next import under it replaces it (default: import- and the file's name)"},
    [OPT_AS_OF] = {"as-of", 0, TEXT("DATE"), .help = "date (YYYY-MM-DD) of the imported prices or runs that have none: their age counts from it, not from today"},
    [OPT_PRICE_OF] = {"price-of", 0, CHOICE("WHAT", price_of_choices), .help = "what the prices of an imported list are of, where its columns do not tell: instance or gpu"},
    [OPT_COLUMN] = {"column", 0, TEXT("NAME=COLUMN"), .repeat = true, .help = "what a column of an imported list is: pricing_model, price_per_gpu_hour, ... (docs/prices-import.md), or ignore; of a file of no known benchmark tool: output_tokens_per_s, ttft_s, ... (docs/runs.md)"},
    [OPT_OLDER_THAN] = {"older-than", 0, .kind = OPTION_AGE, .metavar = "N[h|d]", .min = 0, .max = 36500, .help = "forget what was last seen longer ago than this many days (or hours)"},
    [OPT_SNAPSHOT] = {"snapshot", 0, TEXT("FILE"), .help = "write all refreshed prices to this file, and their signature beside it (FILE.minisig)"},
    [OPT_WITH_IMPORTS] = {"with-imports", 0, FLAG, .help = "with --snapshot: also your own lists that `prices import` took in (quotes, contracts), which are left out else"},
    [OPT_SECRET_KEY] = {"secret-key", 0, TEXT("FILE"), SETTING, .help = "secret key of minisign to sign a snapshot with; its password in GPUADVISE_SNAPSHOT_PASSWORD"},
    [OPT_TRUSTED_KEY] = {"trusted-key", 0, TEXT("FILE|KEY"), SETTING, .help = "public key of minisign whose snapshots are taken in"},
    [OPT_NEW_KEY] = {"new-key", 0, TEXT("FILE"), .help = "make a pair of keys for snapshots: FILE and FILE.pub"},
    [OPT_STRICT] = {"strict", 0, FLAG, SETTING, .help = "exit 1 when any feed or a part of one failed, not only when all did"},
    [OPT_FEED_URL] = {"feed-url", 0, .kind = OPTION_LINK, .metavar = "NAME[.PART]=URL", .repeat = true,
                      .help = "ask for a feed's first document (or its part) at this https URL; further documents then come from the same host"},
    [OPT_FEED_REGIONS] = {"feed-regions", 0, TEXT("LIST"), SETTING,
                          .help = "regions, with commas, whose lists the feed aws reads instead of us-east-1: each is a download of hundreds of MB when it has changed"},
    [OPT_CA] = {"ca", 0, TEXT("FILE"), SETTING, .help = "PEM file of a certificate authority to trust besides the system's"},
    [OPT_METRICS] = {"metrics", 0, TEXT("FILE"), SETTING, .help = "write age, rows and rejects of every feed for Prometheus' textfile collector"},
    [OPT_FROM] = {"from", 0, .kind = OPTION_LINK, .metavar = "URL", .help = "take in the signed snapshot at this https URL instead of asking the providers (needs --trusted-key)"},

    [OPT_HOST] = {"host", 0, TEXT("NAME"), .help = "machine that the imported runs ran on, where their files do not tell; tui: show the GPUs of these machines in Bench instead, over your ssh; several with commas"},
    [OPT_DRY_RUN] = {"dry-run", 0, FLAG, .help = "say what would become of each record and keep nothing"},
    [OPT_REDACT] = {"redact", 0, FLAG, .help = "leave out hosts, names of files and notes"},

    [OPT_TOP] = {"top", 0, INTEGER(1, 10000), SETTING, .help = "rows of the ranked table"},
    [OPT_PARETO] = {"pareto", 0, FLAG, SETTING, .help = "only options that no other beats in both cost and speed per user"},
    [OPT_FAIL_OVER] = {"fail-over-usd-per-mtok", 0, NUMBER("USD", 0, USD_MAX), SETTING,
                       .help = "exit 4 when the best option costs more than this per million output tokens"},
    [OPT_FAIL_CHANGES] = {"fail-if-verdict-changes", 0, TEXT("BASELINE.json"), .help = "exit 4 when the winner is another one than in this earlier answer (--json)"},
    [OPT_SEED] = {"seed", 0, INTEGER(0, 9007199254740992.0), SETTING, .help = "seed of random draws: of the probabilities and ranges of a move, of the inputs of `bench`"},
    [OPT_PLATFORM] = {"platform", 0, CHOICE("PLATFORM", platform_choices), SETTING, .help = "rocm or cuda only"},
    [OPT_MAN] = {"man", 0, FLAG, .help = "the whole manual as a man page"},

    [OPT_MEASUREMENTS] = {"measurements", 0, TEXT("FILE"), .help = "measurements of your own, as CSV with the columns of data/measurements.tsv"},
    [OPT_LEAVE_OUT] = {"leave-out", 0, CHOICE("WHAT", leave_out_choices), .help = "refit without each cell (GPU, model, engine, submitter), source, publisher or block (model, vendor) in turn, and predict it so"},
    [OPT_RUNS] = {"runs", 0, FLAG, .help = "hold the estimator against the runs that you imported, as it was before they counted"},
    [OPT_GATE] = {"gate", 0, FLAG, .help = "exit 4 when the errors are over the project's limits"},
    [OPT_TSV] = {"tsv", 0, FLAG, .help = "the table as data/efficiency.tsv (with --tasks: data/task_efficiency.tsv) holds it"},
    [OPT_TASKS] = {"tasks", 0, FLAG, .help = "training, images, video, HPC and embeddings instead of token serving"},

    [OPT_ROCM] = {"rocm", 0, TEXT("VERSION"), SETTING, .help = "ROCm release that the code shall run on"},
    [OPT_TEAM] = {"team", 0, CHOICE("TEAM", team_names), SETTING, .help = "how well those who port know both sides: novice, some or expert"},
    [OPT_TEST_COVERAGE] = {"test-coverage", 0, NUMBER("X", 0, 1), SETTING, .help = "share of the code that tests cover, 0-1"},
    [OPT_EXCLUDE] = {"exclude", 0, TEXT("PATTERN"), .repeat = true, .help = "leave out paths that fit, written as in .gitignore"},
    [OPT_CLASS] = {"class", 0, CHOICE("CLASS", port_class_names), .repeat = true, .help = "list findings of this class only (all are counted); several with commas"},
    [OPT_RULE] = {"rule", 0, TEXT("RULE"), .repeat = true, .help = "list findings of this rule only, or of rules like warp-* (all are counted); several with commas"},
    [OPT_PATH] = {"path", 0, TEXT("PATTERN"), .repeat = true, .key = "paths", .help = "list findings only of files and folders that fit, written as in .gitignore (all are counted); several with commas"},
    [OPT_BASELINE] = {"baseline", 0, TEXT("FILE"), .help = "an earlier answer as JSON, up to 256 MiB: say what changed since; exit code 4 when `bench` has become slower"},
    [OPT_FAIL_OVER_DAYS] = {"fail-over-days", 0, NUMBER("N", 0, 1e6), SETTING, .help = "exit 4 when the first working port takes more days than this"},
    [OPT_ENGINEER_DAY] = {"engineer-day-usd", 0, TERM("USD"), SETTING, .help = "what a day of an engineer costs"},

    [OPT_WRITE] = {"write", 0, FLAG, .help = "change the files instead of printing the patch; only in a git tree without changes of its own"},
    [OPT_CHECK] = {"check", 0, FLAG, .help = "compile each changed source before and after, as CUDA with nvcc and as HIP with hipcc or clang, where they are installed; exit 4 when the CUDA side has more errors"},

    [OPT_TOKENS_S] = {"tokens-per-s", 0, NUMBER("X", SMALLEST, 1e12), .help = "output tokens per second that are claimed, of all GPUs"},
    [OPT_USD_HOUR] = {"usd-per-hour", 0, NUMBER("USD", SMALLEST, USD_MAX), .help = "price an hour that the claim states, of all GPUs"},
    [OPT_USD_MTOK] = {"usd-per-mtok", 0, NUMBER("USD", SMALLEST, USD_MAX), .help = "cost of a million output tokens that is claimed"},
    [OPT_FILE] = {"file", 0, TEXT("FILE"), .help = "a table of claims, CSV or tab-separated, with the columns of data/claims.tsv"},
    [OPT_CLAIMS] = {"claims", 0, FLAG, .help = "the public claims about CUDA and ROCm that ship with the program"},

    [OPT_QUICK] = {"quick", 0, FLAG, .help = "under a minute: short warm-up, at least 15 batches a test"},
    [OPT_DEVICE] = {"device", 0, TEXT("DEVICE"), .repeat = true, .help = "cpu, gpu0, a PCI address or a GPU's name: test this one only; several GPUs with commas"},
    [OPT_WORKING_SET] = {"working-set", 0, INTEGER(1, 1048576), .help = "MiB that a bandwidth test goes through (default: the larger of 512 and 4 x the last-level cache; the latter alone for a CPU with --quick)"},
    [OPT_SHARED] = {"shared", 0, FLAG, .help = "measure a GPU that other programs are computing on"},
    [OPT_MINUTES] = {"minutes", 0, NUMBER("N", 0.01, 1440), .help = "all GPUs under load at once for so long, memory by patterns, products and bandwidth in turn"},
    [OPT_FAIL_IF] = {"fail-if", 0, CHOICE("GATE", bench_gate_names), .repeat = true, .help = "exit code 4 when a figure is low, clocks were throttled (throttled), a memory corrected errors (ecc), GPUs of a vendor differ (mixed); several with commas"},
    [OPT_REFERENCE] = {"reference", 0, TEXT("FILE"), .help = "the other machine's answer, written by `bench --json`, or the id of a run kept here"},
    [OPT_RECORD] = {"record", 0, TEXT("DIR"), .help = "leave the answer as one whole file in this folder, which the processes of a job share: for `bench fleet`"},
    [OPT_EXPECT] = {"expect", 0, TEXT("HOSTS|FILE"), .help = "hosts that must have left a record, such as node[01-16],gpu3, or a file with one or more a line"},
    [OPT_JOIN] = {"join", 0, TEXT("FILE"), .help = "sums over one GPU of each process of a job, and copies in pairs that tell a slow one; they find each other by files that begin with this name"},
    [OPT_KEEP] = {"keep", 0, FLAG, .help = "keep the medians of the good nodes as a run, which estimates may rest on"},
    [OPT_DEADLINE] = {"deadline", 0, NUMBER("S", 1, 86400), .help = "seconds that a test may take before its process is stopped (default: 60 with --quick, else 180)"},

    [OPT_ONCE] = {"once", 0, FLAG, .help = "print one frame as text and exit"},
    [OPT_SIZE] = {"size", 0, TEXT("WxH"), .help = "columns and rows of that frame (default: 80x24)"},
    [OPT_THEME] = {"theme", 0, CHOICE("THEME", tui_theme_names), SETTING, .help = "dark, light or mono"},
    [OPT_ASCII] = {"ascii", 0, FLAG, SETTING, .help = "draw with ASCII characters only"},
    [OPT_PROGRESS] = {"progress", 0, FLAG, .help = "say on standard error, line by line, how far it is: progress DONE TOTAL WHAT"},
    [OPT_BIND] = {"bind", 0, TEXT("ACTION=KEY..."), SETTING, .repeat = true, .help = "other keys for an action of the screen; `gpuadvise tui --once help` names the actions"},

    [OPT_POWER_PRICE] = {"power-price", 0, TERM("USD"), SETTING, .help = "electricity in $ a kWh"},
    [OPT_PUE] = {"pue", 0, TERM("X"), SETTING, .help = "power of the data centre for that of its servers"},
    [OPT_ONPREM] = {"onprem", 0, FLAG, SETTING, .help = "also what owning GPUs would cost, beside renting in the verdict; without --gpu-price by street prices"},
    [OPT_GPU_PRICE] = {"gpu-price", 0, .kind = OPTION_PAIR, .metavar = "SKU=USD", .min = 1, .max = USD_MAX, SETTING, .repeat = true,
                       .help = "your quote for one GPU, instead of its street price; owning it then stands in the verdict beside renting: mi300x=12000"},
    [OPT_HOST_PRICE] = {"host-price-factor", 0, TERM("X"), SETTING, .help = "price of a whole owned server with its network for that of its GPUs; 1: the quote holds it"},
    [OPT_AMORTISE] = {"amortise-months", 0, TERM("N"), SETTING, .help = "months over which owned servers are written off"},
    [OPT_RESIDUAL] = {"residual", 0, TERM("PCT"), SETTING, .help = "percent of their price that owned servers still fetch then"},
    [OPT_CAPITAL_RATE] = {"capital-rate", 0, TERM("PCT"), SETTING, .help = "percent a year that the money in owned servers costs (default: --discount-rate)"},
    [OPT_CURRENT] = {"current", 0, TEXT("[Nx]SKU@PRICE"), SETTING, SEVERAL, .help = "what runs today, how many of them, and the price in $/GPU-h: 8xh100-sxm5-80gb@2.50"},
    [OPT_STACK] = {"stack", 0, TEXT("FILE"), SETTING, .help = "frameworks, own kernels and needs, as `gpuadvise stack init` lays them out"},
    [OPT_SOURCE] = {"source", 0, TEXT("PATH"), .help = "code that would have to move: adds days, money and break-even"},
    [OPT_HORIZON] = {"horizon-months", 0, TERM("N"), SETTING, .help = "months over which a move has to pay"},
    [OPT_DISCOUNT_RATE] = {"discount-rate", 0, TERM("PCT"), SETTING, .help = "percent a year by which later money counts for less"},
    [OPT_TEAM_SIZE] = {"team-size", 0, TERM("N"), SETTING, .help = "engineers who work on a move at the same time"},
    [OPT_MOVABLE] = {"movable-share", 0, TERM("X"), SETTING, .help = "share of the load that needs no blocker solved, 0-1"},
    [OPT_JOBS] = {"jobs-per-month", 0, TERM("N"), SETTING, .help = "how often a training or HPC job runs a month"},
    [OPT_API_OUTPUT] = {"api-usd-per-mtok", 0, TERM("USD"), SETTING, .help = "an API's price of a million output tokens, to compare with"},
    [OPT_API_INPUT] = {"api-input-usd-per-mtok", 0, TERM("USD"), SETTING, .help = "the same for input tokens"},

    [OPT_MAP] = {"map", 0, TEXT("ROLE=COLUMN"), .repeat = true, .help = "which column of a log means what: time=COLUMN:UNIT (iso, s, ms, us, ns), input, output, cached, session, blocks, status; several with commas"},
    [OPT_BLOCK_TOKENS] = {"block-tokens", 0, INTEGER(1, 65536), .help = "tokens of a block whose hash stands in the log, where its format does not say"},
    [OPT_SERVICE] = {"service-ms", 0, .kind = OPTION_LINK, .metavar = "FIRST,IN,OUT", .help = "milliseconds that a request takes for the count of those in flight: until its first token, a token of the prompt, a further token of the answer (default: 200,0.1,30)"},
    [OPT_SESSIONS] = {"sessions", 0, INTEGER(1, 100000), .help = "sessions of agents at once, each thinking between an answer and its next request; traffic: where a trace stands by session (default: 16)"},
    [OPT_TRAFFIC] = {"traffic", 0, TEXT("NAME|FILE"), .repeat = true, .help = "size for the busiest hour of this traffic, and say what a day costs: a name of `gpuadvise traffic`, or a log or trace; several with commas share one fleet"},
    [OPT_START_MIN] = {"start-min", 0, NUMBER("MIN", 0, 1440), SETTING, .help = "minutes until an instance that is started serves, for a fleet that follows the load (default: 10)"},
    [OPT_BILLING_MIN] = {"billing-min", 0, NUMBER("MIN", 0, 44640), SETTING, .help = "minutes that an instance is billed in whole numbers of (default: 60)"},
    [OPT_GROWTH] = {"growth", 0, TEXT("PCT"), SETTING, .help = "percent by which a traffic grows each month (5 or 5%): the fleet of each of --horizon-months, what they cost together, and when the first one is too small"},
};
// clang-format on

bool option_by_name(const char *name, size_t length, OptionId *ret_id) {
    for (size_t i = 0; i < OPT_COUNT; i++) {
        const OptionSpec *o = &option_table[i];
        Str given = {name, length};
        if (!str_is(given, o->name) && (o->former == NULL || !str_is(given, o->former))) continue;
        *ret_id = (OptionId)i;
        return true;
    }
    return false;
}

// ---------------------------------------------------------------- checking and storing

bool option_term(OptionId id, Term *ret_term) {
    for (int t = 0; option_table[id].term && t < TERM_COUNT; t++) {
        if (strcmp(term_specs[t].key, option_table[id].name) != 0) continue;
        *ret_term = (Term)t;
        return true;
    }
    return false;
}

static bool check_number(Str text, const OptionSpec *o, double *ret_number, Err *e) {
    Term term;
    if (option_term((OptionId)(o - option_table), &term))
        return parse_number(text, term_specs[term].min, term_specs[term].max, ret_number, e);
    if (o->kind != OPTION_INTEGER) return parse_number(text, o->min, o->max, ret_number, e);
    int64_t x = 0;
    if (!parse_integer(text, (int64_t)o->min, (int64_t)o->max, &x, e)) return false;
    *ret_number = (double)x;
    return true;
}

static bool check_flag(const char *text, double *ret_number, Err *e) {
    static const char *const words[] = {"no", "yes", "false", "true", "off", "on", "0", "1", NULL};
    int i = name_index(words, text);
    if (i < 0) return err_set(e, ERR_USAGE, "'%s' is neither yes nor no", text);
    *ret_number = i % 2;
    return true;
}

static bool check_choice(const char **text, const OptionSpec *o, Err *e) {
    size_t n = 0;
    for (; o->choices[n] != NULL; n++) {
        if (!text_same(o->choices[n], *text)) continue;
        *text = o->choices[n];
        return true;
    }
    return name_unknown(e, "value", *text, o->choices, n);
}

static bool check_age(Str text, const OptionSpec *o, double *ret_days, Err *e) {
    bool hours = text.length > 0 && text.data[text.length - 1] == 'h';
    bool days = text.length > 0 && text.data[text.length - 1] == 'd';
    if (hours || days) text.length--;
    double x = 0;
    if (!parse_number(text, o->min, hours ? o->max * 24 : o->max, &x, e)) return false;
    *ret_days = hours ? x / 24 : x;
    return true;
}

static bool check_pair(Str text, const OptionSpec *o, double *ret_number, Err *e) {
    Str name;
    Str rest = text;
    if (!str_next(&rest, '=', &name) || str_trim(name).length == 0 || rest.data == NULL) {
        return err_set(e, ERR_USAGE, "'%.*s' is not %s", (int)(text.length > 60 ? 60 : text.length),
                       text.data, o->metavar);
    }
    return parse_number(str_trim(rest), o->min, o->max, ret_number, e);
}

// "EUR=1.08@2026-11-20"
static bool split_rate(Str text, Str *ret_currency, Str *ret_usd, Str *ret_date) {
    Str rest = text;
    if (!str_next(&rest, '=', ret_currency) || rest.data == NULL) return false;
    if (!str_next(&rest, '@', ret_usd) || rest.data == NULL) return false;
    *ret_currency = str_trim(*ret_currency);
    *ret_usd = str_trim(*ret_usd);
    *ret_date = str_trim(rest);
    return ret_currency->length == 3;
}

static bool check_rate(Str text, const OptionSpec *o, double *ret_number, Err *e) {
    Str currency, usd, date;
    int64_t days = 0;
    if (!split_rate(text, &currency, &usd, &date))
        return err_set(e, ERR_USAGE, "'%.*s' is not %s", (int)(text.length > 60 ? 60 : text.length),
                       text.data, o->metavar);
    return parse_number(usd, o->min, o->max, ret_number, e) &&
           (parse_date(date, &days, e) || err_wrap(e, "date of the rate"));
}

static bool check_value(const OptionSpec *o, const char **text, double *ret_number, Err *e) {
    Str view = str_of(*text);
    switch (o->kind) {
    case OPTION_FLAG: return check_flag(*text, ret_number, e);
    case OPTION_INTEGER:
    case OPTION_NUMBER: return check_number(view, o, ret_number, e);
    case OPTION_CHOICE: return check_choice(text, o, e);
    case OPTION_AGE: return check_age(view, o, ret_number, e);
    case OPTION_PAIR: return check_pair(view, o, ret_number, e);
    case OPTION_RATE: return check_rate(view, o, ret_number, e);
    case OPTION_LINK:
    case OPTION_TEXT: return view.length > 0 || err_set(e, ERR_USAGE, "the value is empty");
    }
    return true;
}

static void keep(App *app, OptionValue *v, const char *text, double number) {
    if (v->n == v->capacity) {
        size_t capacity = v->capacity == 0 ? 4 : v->capacity * 2;
        const char **texts = arena_alloc(&app->arena, capacity, sizeof *texts);
        double *numbers = arena_alloc(&app->arena, capacity, sizeof *numbers);
        for (size_t i = 0; i < v->n; i++) {
            texts[i] = v->texts[i];
            numbers[i] = v->numbers[i];
        }
        v->texts = texts;
        v->numbers = numbers;
        v->capacity = capacity;
    }
    v->texts[v->n] = text;
    v->numbers[v->n] = number;
    v->n++;
}

// As other tools have it: "-o json".
static const char *format_of(const char *text) {
    for (size_t i = 0; format_names[i] != NULL; i++) {
        if (text_same(format_names[i], text)) return format_names[i];
    }
    return NULL;
}

bool option_store(App *app, OptionId id, OptionLevel level, const char *where, const char *text, Err *e) {
    const OptionSpec *o = &option_table[id];
    OptionValue *v = &app->values[id];
    bool wanted = level >= v->level;  // a value that a higher level has set already is checked only
    if (wanted && (level > v->level || !o->repeat)) v->n = 0;
    if (wanted) v->level = level;
    if (wanted) v->latest = v->n;
    Str rest = str_of(text);
    Str part;
    const char *format = id == OPT_OUTPUT ? format_of(text) : NULL;
    if (format != NULL)
        return err_set(
            e, ERR_USAGE,
            "%s: '%s' is the name of a format: did you mean '--format %s'? (a file of that name is './%s')",
            where, text, format, text);
    while (str_next(&rest, o->repeat && o->kind != OPTION_LINK ? ',' : '\0', &part)) {
        if (o->repeat) part = str_trim(part);
        const char *one = arena_copy(&app->arena, part.data, part.length);
        double number = 0;
        if (!check_value(o, &one, &number, e)) return err_wrap(e, "%s", where);
        if (wanted) keep(app, v, one, number);
    }
    return true;
}

// ---------------------------------------------------------------- reading

bool opt_set(const App *app, OptionId id) { return app->values[id].n > 0; }

bool opt_typed(const App *app, OptionId id) {
    return app->values[id].n > 0 && app->values[id].level == LEVEL_FLAG;
}

static size_t last(const App *app, OptionId id) { return app->values[id].n - 1; }

bool opt_flag(const App *app, OptionId id) {
    return opt_set(app, id) && app->values[id].numbers[last(app, id)] != 0;
}

const char *opt_text(const App *app, OptionId id, const char *fallback) {
    return opt_set(app, id) ? app->values[id].texts[last(app, id)] : fallback;
}

double opt_number(const App *app, OptionId id, double fallback) {
    return opt_set(app, id) ? app->values[id].numbers[last(app, id)] : fallback;
}

int64_t opt_integer(const App *app, OptionId id, int64_t fallback) {
    return opt_set(app, id) ? (int64_t)app->values[id].numbers[last(app, id)] : fallback;
}

int opt_choice(const App *app, OptionId id, int fallback) {
    return opt_set(app, id) ? name_index(option_table[id].choices, opt_text(app, id, "")) : fallback;
}

size_t opt_list(const App *app, OptionId id, const char *const **ret_texts) {
    *ret_texts = app->values[id].texts;
    return app->values[id].n;
}

bool opt_pair(const App *app, OptionId id, size_t i, const char **ret_name, double *ret_number, Arena *a) {
    if (i >= app->values[id].n) return false;
    Str rest = str_of(app->values[id].texts[i]);
    Str name;
    if (!str_next(&rest, '=', &name)) return false;
    name = str_trim(name);
    *ret_name = arena_copy(a, name.data, name.length);
    *ret_number = app->values[id].numbers[i];
    return true;
}

bool opt_rate(const App *app, OptionId id, size_t i, const char **ret_currency, double *ret_usd,
              const char **ret_date, Arena *a) {
    Str currency, usd, date;
    if (i >= app->values[id].n || !split_rate(str_of(app->values[id].texts[i]), &currency, &usd, &date))
        return false;
    *ret_currency = arena_copy(a, currency.data, currency.length);
    *ret_date = arena_copy(a, date.data, date.length);
    *ret_usd = app->values[id].numbers[i];
    return true;
}

Dtype opt_dtype(const App *app, OptionId id) {
    return opt_set(app, id) ? (Dtype)name_index(dtype_names, opt_text(app, id, "")) : DTYPE_UNKNOWN;
}

bool app_pricing(const App *app, PricingModel *ret_pricing, Err *e) {
    bool spot = opt_flag(app, OPT_SPOT);
    bool reserved = opt_set(app, OPT_RESERVED);
    OptionLevel spot_level = app->values[OPT_SPOT].level;
    OptionLevel reserved_level = app->values[OPT_RESERVED].level;
    if (spot && reserved && spot_level == reserved_level) {
        return err_set(e, ERR_USAGE, "options '--spot' and '--reserved' exclude each other");
    }
    // `--spot=no` on the command line says on-demand, whatever lower levels say of it.
    if (spot && (!reserved || spot_level > reserved_level)) {
        *ret_pricing = PRICING_SPOT;
    } else if (reserved) {
        *ret_pricing = opt_choice(app, OPT_RESERVED, 0) == 0 ? PRICING_RESERVED_1Y : PRICING_RESERVED_3Y;
    } else {
        *ret_pricing = PRICING_ON_DEMAND;
    }
    return true;
}

static void value_json(Json *parent, const char *key, const OptionSpec *o, const OptionValue *v, size_t i) {
    switch (o->kind) {
    case OPTION_FLAG: json_add_bool(parent, key, v->numbers[i] != 0); break;
    case OPTION_INTEGER: json_add_integer(parent, key, (int64_t)v->numbers[i]); break;
    case OPTION_NUMBER: json_add_number(parent, key, v->numbers[i]); break;
    case OPTION_TEXT:
    case OPTION_LINK:
    case OPTION_CHOICE:
    case OPTION_AGE:
    case OPTION_PAIR:
    case OPTION_RATE: json_add_text(parent, key, v->texts[i]); break;
    }
}

void options_json(const App *app, Json *inputs) {
    Arena scratch = {0};
    for (size_t id = 0; id < OPT_COUNT; id++) {
        const OptionSpec *o = &option_table[id];
        const OptionValue *v = &app->values[id];
        if (v->n == 0 || o->global || !command_takes(app->command, (OptionId)id)) continue;
        const char *name = o->key != NULL ? o->key : o->name;
        char *key = arena_copy(&scratch, name, strlen(name));
        for (char *c = key; *c != '\0'; c++) {
            if (*c == '-') *c = '_';
        }
        if (!o->repeat || (o->several_in != NULL && v->n == 1)) {
            value_json(inputs, key, o, v, v->n - 1);
            continue;
        }
        Json *list = json_add_array(inputs, key);
        for (size_t i = 0; i < v->n; i++) value_json(list, NULL, o, v, i);
    }
    arena_free(&scratch);
}
