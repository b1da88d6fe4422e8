// The options in the order of help, of JSON's inputs and of OptionId: a row is all that an option is.
#ifndef GPUADVISE_OPTION_TABLE_H
#define GPUADVISE_OPTION_TABLE_H

// ROW(OptionId, the first members of its OptionSpec, the others by name); the words in capitals are those of cli/options.c.
// clang-format off
#define OPTION_TABLE(ROW) \
    /* every command */ \
    ROW(OPT_DB, "db", 0, TEXT("FILE"), .global = true, SETTING, .help = "database to use instead of the one in the data folder") \
    ROW(OPT_DATA, "data", 0, TEXT("DIR"), .global = true, SETTING, .help = "read the facts from this folder instead of the built-in ones") \
    ROW(OPT_FORMAT, "format", 0, CHOICE("FORMAT", format_names), .global = true, SETTING, .help = "table, json, csv, md, html, sarif, slurm or k8s, where it makes sense") \
    ROW(OPT_JSON, "json", 0, FLAG, .global = true, .help = "short for --format json") \
    ROW(OPT_OUTPUT, "output", 'o', TEXT("FILE"), .global = true, .help = "write the answer to a file, whole or not at all") \
    ROW(OPT_EXPLAIN, "explain", 0, FLAG, .global = true, .help = "show how each number came about") \
    ROW(OPT_COLOR, "color", 0, CHOICE("WHEN", color_choices), .global = true, SETTING, .help = "auto, always or never") \
    ROW(OPT_OFFLINE, "offline", 0, FLAG, .global = true, SETTING, .help = "refuse any use of the network") \
    ROW(OPT_NO_PAGER, "no-pager", 0, FLAG, .global = true, SETTING, .help = "print long answers on a terminal without a pager") \
    ROW(OPT_QUIET, "quiet", 'q', FLAG, .global = true, SETTING, .help = "no warnings on standard error") \
    ROW(OPT_VERBOSE, "verbose", 'v', FLAG, .global = true, SETTING, .help = "say what is read and written, on standard error") \
    ROW(OPT_HELP, "help", 'h', FLAG, .global = true, .help = "help for the program or for a command") \
    ROW(OPT_VERSION, "version", 'V', FLAG, .global = true, .help = "version of the program") \
    /* workload and configuration */ \
    ROW(OPT_WORKLOAD, "workload", 0, TEXT("NAME"), SETTING, .help = "what to run; see `gpuadvise workloads`") \
    ROW(OPT_MODEL, "model", 0, TEXT("NAME|PATH"), SETTING, .help = "model to run: see `gpuadvise models`; or a config.json, GGUF or safetensors file, or their folder") \
    ROW(OPT_ASSUME_DENSE, "assume-dense", 0, FLAG, SETTING, .help = "take a model file of an unknown architecture for a plain decoder") \
    ROW(OPT_ISL, "isl", 0, INTEGER(1, TOKENS_MAX), SETTING, .help = "input tokens of a request") \
    ROW(OPT_OSL, "osl", 0, INTEGER(1, TOKENS_MAX), SETTING, .help = "output tokens of a request") \
    ROW(OPT_TTFT, "ttft", 0, NUMBER("MS", 0.001, MS_MAX), SETTING, .help = "longest time to first token at p99, in milliseconds") \
    ROW(OPT_TPOT, "tpot", 0, NUMBER("MS", 0.001, MS_MAX), SETTING, .help = "longest time per output token at p99, in milliseconds") \
    ROW(OPT_RATE, "rate", 0, NUMBER("R", SMALLEST, 1e9), SETTING, .help = "offered load in requests per second") \
    ROW(OPT_CONCURRENCY, "concurrency", 0, INTEGER(1, 1e9), SETTING, .help = "requests in flight") \
    ROW(OPT_BATCH, "batch", 0, INTEGER(1, 1e9), SETTING, .help = "sequences in the batch; the same as --concurrency") \
    ROW(OPT_GPU, "gpu", 0, TEXT("SKU"), SETTING, SEVERAL, .help = "GPU by name; see `gpuadvise gpus`; report: several with commas") \
    ROW(OPT_GPUS, "gpus", 0, INTEGER(1, 100000), SETTING, .help = "number of GPUs") \
    ROW(OPT_FLEET, "fleet", 0, INTEGER(1, 100000), SETTING, .help = "exactly so many GPUs in whole instances, and what they carry within the limits") \
    ROW(OPT_SITE_KW, "site-kw", 0, NUMBER("KW", 0.01, 1e6), SETTING, .help = "power that the site has for an option at full load, servers and cooling (--pue) included") \
    ROW(OPT_TP, "tp", 0, INTEGER(1, 1024), SETTING, .help = "tensor-parallel size") \
    ROW(OPT_PP, "pp", 0, INTEGER(1, 1024), SETTING, .help = "pipeline-parallel size") \
    ROW(OPT_EP, "ep", 0, INTEGER(1, 1024), SETTING, .help = "expert-parallel size") \
    ROW(OPT_DP, "dp", 0, INTEGER(1, 100000), SETTING, .help = "data-parallel replicas") \
    ROW(OPT_PREFILL_GPUS, "prefill-gpus", 0, INTEGER(1, 100000), SETTING, .help = "of --gpus so many only read prompts, and the others only write answers (disaggregated serving)") \
    ROW(OPT_DRAFT_TOKENS, "draft-tokens", 0, INTEGER(1, 64), SETTING, .help = "tokens speculated a step, by the model's own head or a draft model") \
    ROW(OPT_ACCEPTED_TOKENS, "accepted-tokens", 0, NUMBER("X", 1, 65), SETTING, .former = "kept-tokens", .key = "kept_tokens", .help = "tokens that a step with speculation gives on average, its own and the accepted drafts: 1 to 1 + --draft-tokens") \
    ROW(OPT_CACHED_PROMPT, "cached-prompt", 0, NUMBER("X", 0, 1), SETTING, .help = "share of each prompt that a prefix cache holds, 0-1") \
    ROW(OPT_POWER_CAP, "power-cap", 0, NUMBER("W", 1, 10000), SETTING, .help = "power limit of each GPU in watts") \
    ROW(OPT_HOST_GB, "host-gb", 0, NUMBER("GB", 0.001, 1e6), SETTING, .help = "host memory for caches of one replica, behind those of its GPUs (10^9 bytes)") \
    ROW(OPT_SPLIT, "split", 0, CHOICE("WAY", split_choices), .help = "llama.cpp: several GPUs by layer, which take turns, or by row, which share every product") \
    ROW(OPT_GPU_LAYERS, "gpu-layers", 0, INTEGER(1, 10000), .help = "llama.cpp: layers on the GPUs; the CPU works on the others in host memory") \
    ROW(OPT_CPU_OFFLOAD, "cpu-offload", 0, INTEGER(1, 10000), .help = "llama.cpp: layers left in host memory, in place of --gpu-layers") \
    ROW(OPT_CPU_EXPERTS, "cpu-experts", 0, FLAG, .help = "llama.cpp: routed experts of all layers stay in host memory") \
    ROW(OPT_HOST_GB_S, "host-gb-s", 0, NUMBER("GB/S", 1, 1e5), SETTING, .help = "llama.cpp: bandwidth of host memory (10^9 bytes) for what stays there; else that of a kept `bench` run of this CPU") \
    ROW(OPT_MEMORY_FRACTION, "memory-fraction", 0, NUMBER("X", 0.1, 1), SETTING, .help = "share of GPU memory that the engine is told to take, 0.1-1, instead of its own default") \
    ROW(OPT_VENDOR, "vendor", 0, CHOICE("VENDOR", vendor_names), SETTING, SEVERAL, .help = "nvidia or amd only") \
    ROW(OPT_EXCLUDE_GPU, "exclude-gpu", 0, TEXT("SKU"), SETTING, .repeat = true, .help = "every GPU but this; several with commas") \
    ROW(OPT_ENGINE, "engine", 0, TEXT("NAME"), SETTING, SEVERAL, .help = "serving engine: vllm, sglang, tensorrt-llm, llama.cpp, ...; report: several with commas") \
    ROW(OPT_WEIGHTS, "weights", 0, CHOICE("DTYPE", dtype_names + 1), SETTING, .help = "dtype of the weights: bf16, fp8, int4, ...") \
    ROW(OPT_KV, "kv", 0, CHOICE("DTYPE", dtype_names + 1), SETTING, .help = "dtype of the KV cache: bf16, fp8, ...") \
    /* offers and money */ \
    ROW(OPT_SPOT, "spot", 0, FLAG, SETTING, .help = "spot prices instead of on-demand ones") \
    ROW(OPT_RESERVED, "reserved", 0, CHOICE("TERM", term_choices), SETTING, .help = "prices reserved for 1y or 3y instead of on-demand ones") \
    ROW(OPT_PROVIDER, "provider", 0, TEXT("NAME"), SETTING, SEVERAL, .help = "offers of this provider only (report: several with commas); prices import: whose prices they are, where the list does not tell") \
    ROW(OPT_EXCLUDE_PROVIDER, "exclude-provider", 0, TEXT("NAME"), SETTING, .repeat = true, .help = "offers of every provider but this; several with commas") \
    ROW(OPT_REGION, "region", 0, TEXT("NAME"), SETTING, .help = "offers in regions with this in their name only") \
    ROW(OPT_MAX_PRICE, "max-price", 0, NUMBER("USD", SMALLEST, USD_MAX), SETTING, .help = "highest price in $/GPU-h") \
    ROW(OPT_PRICE, "price", 0, .kind = OPTION_PAIR, .metavar = "PROVIDER:GPU=USD", .min = SMALLEST, .max = USD_MAX, SETTING, .repeat = true, .help = "what a provider would list for a GPU-hour of a GPU instead of what it does, as old as that (a quote of today: `prices import`): runpod:mi300x=2.10") \
    ROW(OPT_DISCOUNT, "discount", 0, .kind = OPTION_PAIR, .metavar = "PROVIDER=PCT", .min = 0, .max = 99.9, SETTING, .repeat = true, .help = "your own discount with a provider, in percent") \
    ROW(OPT_DUTY_CYCLE, "duty-cycle", 0, NUMBER("X", 0.001, 1), SETTING, .help = "share of paid hours that carry the load, 0-1") \
    ROW(OPT_MAX_AGE, "max-age", 0, .kind = OPTION_AGE, .metavar = "N[h|d]", .min = 0, .max = 36500, SETTING, .help = "leave out offers older than this many days (or hours)") \
    ROW(OPT_ALL_REGIONS, "all-regions", 0, FLAG, SETTING, .help = "every region, not only the cheapest of each instance") \
    ROW(OPT_UNMAPPED, "unmapped", 0, FLAG, .help = "offers of GPUs that the catalog does not know") \
    ROW(OPT_SUPERSEDED, "superseded", 0, FLAG, .help = "also offers that a newer price has replaced") \
    ROW(OPT_GROUP_BY, "group-by", 0, CHOICE("WHAT", group_choices), .help = "lowest and highest price per gpu, provider or region") \
    ROW(OPT_COUNTRY, "country", 0, TEXT("CC"), SETTING, .repeat = true, .help = "offers in these countries only (ISO 3166, two letters; eu: the European Union); offers of unknown country are left out") \
    ROW(OPT_AVAILABLE, "available", 0, FLAG, SETTING, .help = "leave out offers that could not be had when they were seen last") \
    ROW(OPT_QUARANTINED, "quarantined", 0, FLAG, .help = "rows that refreshes quarantined, with the reason and the id for `prices accept`") \
    ROW(OPT_SORT, "sort", 0, TEXT("COLUMN[,...]"), SETTING, .help = "order by these columns, by key or title; '-' before one: descending (prices also: price, hour)") \
    ROW(OPT_WHERE, "where", 0, TEXT("FILTER"), .help = "rows that fit, as '/' in the screen: amd !vast 'h100|h200' 'age<30' 'provider=azure'; columns by key or title") \
    ROW(OPT_SINCE, "since", 0, TEXT("DATE|N[h|d]"), .help = "from this date (YYYY-MM-DD) on, or from that many days or hours ago") \
    ROW(OPT_CURRENCY_RATE, "usd-per", 0, .kind = OPTION_RATE, .metavar = "CUR=USD@DATE", .min = 1e-6, .max = 1e6, SETTING, .repeat = true, .help = "a dated exchange rate of your own, such as EUR=1.08@2026-11-20; prices in other currencies are held without one") \
    ROW(OPT_NAME, "name", 0, TEXT("NAME"), .help = "name of the imported list; the next import under it replaces it (default: import- and the file's name)") \
    ROW(OPT_AS_OF, "as-of", 0, TEXT("DATE"), .help = "date (YYYY-MM-DD) of the imported prices or runs that have none: their age counts from it, not from today") \
    ROW(OPT_PRICE_OF, "price-of", 0, CHOICE("WHAT", price_of_choices), .help = "what the prices of an imported list are of, where its columns do not tell: instance or gpu") \
    ROW(OPT_COLUMN, "column", 0, TEXT("NAME=COLUMN"), .repeat = true, .help = "what a column of an imported list is: pricing_model, price_per_gpu_hour, ... (docs/prices-import.md), or ignore; of a file of no known benchmark tool: output_tokens_per_s, ttft_s, ... (docs/runs.md)") \
    ROW(OPT_OLDER_THAN, "older-than", 0, .kind = OPTION_AGE, .metavar = "N[h|d]", .min = 0, .max = 36500, .help = "forget what was last seen longer ago than this many days (or hours)") \
    ROW(OPT_SNAPSHOT, "snapshot", 0, TEXT("FILE"), .help = "write all refreshed prices to this file, and their signature beside it (FILE.minisig)") \
    ROW(OPT_WITH_IMPORTS, "with-imports", 0, FLAG, .help = "with --snapshot: also your own lists that `prices import` took in (quotes, contracts), which are left out else") \
    ROW(OPT_SECRET_KEY, "secret-key", 0, TEXT("FILE"), SETTING, .help = "secret key of minisign to sign a snapshot with; its password in GPUADVISE_SNAPSHOT_PASSWORD") \
    ROW(OPT_TRUSTED_KEY, "trusted-key", 0, TEXT("FILE|KEY"), SETTING, .help = "public key of minisign whose snapshots are taken in") \
    ROW(OPT_NEW_KEY, "new-key", 0, TEXT("FILE"), .help = "make a pair of keys for snapshots: FILE and FILE.pub") \
    ROW(OPT_STRICT, "strict", 0, FLAG, SETTING, .help = "exit 1 when any feed or a part of one failed, not only when all did") \
    ROW(OPT_FEED_URL, "feed-url", 0, .kind = OPTION_LINK, .metavar = "NAME[.PART]=URL", .repeat = true, .help = "ask for a feed's first document (or its part) at this https URL; further documents then come from the same host") \
    ROW(OPT_FEED_REGIONS, "feed-regions", 0, TEXT("LIST"), SETTING, .help = "regions, with commas, whose lists the feed aws reads instead of us-east-1: each is a download of hundreds of MB when it has changed") \
    ROW(OPT_CA, "ca", 0, TEXT("FILE"), SETTING, .help = "PEM file of a certificate authority to trust besides the system's") \
    ROW(OPT_METRICS, "metrics", 0, TEXT("FILE"), SETTING, .help = "write age, rows and rejects of every feed for Prometheus' textfile collector") \
    ROW(OPT_FROM, "from", 0, .kind = OPTION_LINK, .metavar = "URL", .help = "take in the signed snapshot at this https URL instead of asking the providers (needs --trusted-key)") \
    /* runs of the user's own */ \
    ROW(OPT_HOST, "host", 0, TEXT("NAME"), .help = "machine that the imported runs ran on, where their files do not tell; tui: show the GPUs of these machines in Bench instead, over your ssh; several with commas") \
    ROW(OPT_DRY_RUN, "dry-run", 0, FLAG, .help = "say what would become of each record and keep nothing") \
    ROW(OPT_REDACT, "redact", 0, FLAG, .help = "leave out hosts, names of files and notes") \
    /* answers */ \
    ROW(OPT_TOP, "top", 0, INTEGER(1, 10000), SETTING, .help = "rows of the ranked table") \
    ROW(OPT_PARETO, "pareto", 0, FLAG, SETTING, .help = "only options that no other beats in both cost and speed per user") \
    ROW(OPT_FAIL_OVER, "fail-over-usd-per-mtok", 0, NUMBER("USD", 0, USD_MAX), SETTING, .help = "exit 4 when the best option costs more than this per million output tokens") \
    ROW(OPT_FAIL_CHANGES, "fail-if-verdict-changes", 0, TEXT("BASELINE.json"), .help = "exit 4 when the winner is another one than in this earlier answer (--json)") \
    ROW(OPT_SEED, "seed", 0, INTEGER(0, 9007199254740992.0), SETTING, .help = "seed of random draws: of the probabilities and ranges of a move, of the inputs of `bench`") \
    ROW(OPT_PLATFORM, "platform", 0, CHOICE("PLATFORM", platform_choices), SETTING, .help = "rocm or cuda only") \
    ROW(OPT_MAN, "man", 0, FLAG, .help = "the whole manual as a man page") \
    ROW(OPT_MEASUREMENTS, "measurements", 0, TEXT("FILE"), .help = "measurements of your own, as CSV with the columns of data/measurements.tsv") \
    ROW(OPT_LEAVE_OUT, "leave-out", 0, CHOICE("WHAT", leave_out_choices), .help = "refit without each cell (GPU, model, engine, submitter), source, publisher or block (model, vendor) in turn, and predict it so") \
    ROW(OPT_RUNS, "runs", 0, FLAG, .help = "hold the estimator against the runs that you imported, as it was before they counted") \
    ROW(OPT_GATE, "gate", 0, FLAG, .help = "exit 4 when the errors are over the project's limits") \
    ROW(OPT_TSV, "tsv", 0, FLAG, .help = "the table as data/efficiency.tsv (with --tasks: data/task_efficiency.tsv) holds it") \
    ROW(OPT_TASKS, "tasks", 0, FLAG, .help = "training, images, video, HPC and embeddings instead of token serving") \
    ROW(OPT_ROCM, "rocm", 0, TEXT("VERSION"), SETTING, .help = "ROCm release that the code shall run on") \
    ROW(OPT_TEAM, "team", 0, CHOICE("TEAM", team_names), SETTING, .help = "how well those who port know both sides: novice, some or expert") \
    ROW(OPT_TEST_COVERAGE, "test-coverage", 0, NUMBER("X", 0, 1), SETTING, .help = "share of the code that tests cover, 0-1") \
    ROW(OPT_EXCLUDE, "exclude", 0, TEXT("PATTERN"), .repeat = true, .help = "leave out paths that fit, written as in .gitignore") \
    ROW(OPT_CLASS, "class", 0, CHOICE("CLASS", port_class_names), .repeat = true, .help = "list findings of this class only (all are counted); several with commas") \
    ROW(OPT_RULE, "rule", 0, TEXT("RULE"), .repeat = true, .help = "list findings of this rule only, or of rules like warp-* (all are counted); several with commas") \
    ROW(OPT_PATH, "path", 0, TEXT("PATTERN"), .repeat = true, .key = "paths", .help = "list findings only of files and folders that fit, written as in .gitignore (all are counted); several with commas") \
    ROW(OPT_BASELINE, "baseline", 0, TEXT("FILE"), .help = "an earlier answer as JSON, up to 256 MiB: say what changed since; exit code 4 when `bench` has become slower") \
    ROW(OPT_FAIL_OVER_DAYS, "fail-over-days", 0, NUMBER("N", 0, 1e6), SETTING, .help = "exit 4 when the first working port takes more days than this") \
    ROW(OPT_ENGINEER_DAY, "engineer-day-usd", 0, TERM(TERM_ENGINEER_DAY, "USD"), SETTING, .help = "what a day of an engineer costs") \
    ROW(OPT_WRITE, "write", 0, FLAG, .help = "change the files instead of printing the patch; only in a git tree without changes of its own") \
    ROW(OPT_CHECK, "check", 0, FLAG, .help = "compile each changed source before and after, as CUDA with nvcc and as HIP with hipcc or clang, where they are installed; exit 4 when the CUDA side has more errors") \
    ROW(OPT_TOKENS_S, "tokens-per-s", 0, NUMBER("X", SMALLEST, 1e12), .help = "output tokens per second that are claimed, of all GPUs") \
    ROW(OPT_USD_HOUR, "usd-per-hour", 0, NUMBER("USD", SMALLEST, USD_MAX), .help = "price an hour that the claim states, of all GPUs") \
    ROW(OPT_USD_MTOK, "usd-per-mtok", 0, NUMBER("USD", SMALLEST, USD_MAX), .help = "cost of a million output tokens that is claimed") \
    ROW(OPT_FILE, "file", 0, TEXT("FILE"), .help = "a table of claims, CSV or tab-separated, with the columns of data/claims.tsv") \
    ROW(OPT_CLAIMS, "claims", 0, FLAG, .help = "the public claims about CUDA and ROCm that ship with the program") \
    ROW(OPT_QUICK, "quick", 0, FLAG, .help = "under a minute: short warm-up, at least 15 batches a test") \
    ROW(OPT_DEVICE, "device", 0, TEXT("DEVICE"), .repeat = true, .help = "cpu, gpu0, a PCI address or a GPU's name: test this one only; several GPUs with commas") \
    ROW(OPT_WORKING_SET, "working-set", 0, INTEGER(1, 1048576), .help = "MiB that a bandwidth test goes through (default: the larger of 512 and 4 x the last-level cache; the latter alone for a CPU with --quick)") \
    ROW(OPT_DEADLINE, "deadline", 0, NUMBER("S", 1, 86400), .help = "seconds that a test may take before its process is stopped (default: 60 with --quick, else 180)") \
    ROW(OPT_SHARED, "shared", 0, FLAG, .help = "measure a GPU that other programs are computing on") \
    ROW(OPT_MINUTES, "minutes", 0, NUMBER("N", 0.01, 1440), .help = "all GPUs under load at once for so long, memory by patterns, products and bandwidth in turn") \
    ROW(OPT_FAIL_IF, "fail-if", 0, CHOICE("GATE", bench_gate_names), .repeat = true, .help = "exit code 4 when a figure is low, clocks were throttled (throttled), a memory corrected errors (ecc), GPUs of a vendor differ (mixed); several with commas") \
    ROW(OPT_REFERENCE, "reference", 0, TEXT("FILE"), .help = "the other machine's answer, written by `bench --json`, or the id of a run kept here") \
    ROW(OPT_RECORD, "record", 0, TEXT("DIR"), .help = "leave the answer as one whole file in this folder, which the processes of a job share: for `bench fleet`") \
    ROW(OPT_EXPECT, "expect", 0, TEXT("HOSTS|FILE"), .help = "hosts that must have left a record, such as node[01-16],gpu3, or a file with one or more a line") \
    ROW(OPT_KEEP, "keep", 0, FLAG, .help = "keep the medians of the good nodes as a run, which estimates may rest on") \
    ROW(OPT_JOIN, "join", 0, TEXT("FILE"), .help = "sums over one GPU of each process of a job, and copies in pairs that tell a slow one; they find each other by files that begin with this name") \
    ROW(OPT_ONCE, "once", 0, FLAG, .help = "print one frame as text and exit") \
    ROW(OPT_SIZE, "size", 0, TEXT("WxH"), .help = "columns and rows of that frame (default: 80x24)") \
    ROW(OPT_THEME, "theme", 0, CHOICE("THEME", tui_theme_names), SETTING, .help = "dark, light or mono") \
    ROW(OPT_ASCII, "ascii", 0, FLAG, SETTING, .help = "draw with ASCII characters only") \
    ROW(OPT_BIND, "bind", 0, TEXT("ACTION=KEY..."), SETTING, .repeat = true, .help = "other keys for an action of the screen; `gpuadvise tui --once help` names the actions") \
    ROW(OPT_PROGRESS, "progress", 0, FLAG, .help = "say on standard error, line by line, how far it is: progress DONE TOTAL WHAT") \
    /* the decision */ \
    ROW(OPT_POWER_PRICE, "power-price", 0, TERM(TERM_POWER_PRICE, "USD"), SETTING, .help = "electricity in $ a kWh") \
    ROW(OPT_PUE, "pue", 0, TERM(TERM_PUE, "X"), SETTING, .help = "power of the data centre for that of its servers") \
    ROW(OPT_ONPREM, "onprem", 0, FLAG, SETTING, .help = "also what owning GPUs would cost, beside renting in the verdict; without --gpu-price by street prices") \
    ROW(OPT_GPU_PRICE, "gpu-price", 0, .kind = OPTION_PAIR, .metavar = "SKU=USD", .min = 1, .max = USD_MAX, SETTING, .repeat = true, .help = "your quote for one GPU, instead of its street price; owning it then stands in the verdict beside renting: mi300x=12000") \
    ROW(OPT_HOST_PRICE, "host-price-factor", 0, TERM(TERM_HOST_PRICE, "X"), SETTING, .help = "price of a whole owned server with its network for that of its GPUs; 1: the quote holds it") \
    ROW(OPT_AMORTISE, "amortise-months", 0, TERM(TERM_AMORTISE, "N"), SETTING, .help = "months over which owned servers are written off") \
    ROW(OPT_RESIDUAL, "residual", 0, TERM(TERM_RESIDUAL, "PCT"), SETTING, .help = "percent of their price that owned servers still fetch then") \
    ROW(OPT_CAPITAL_RATE, "capital-rate", 0, TERM(TERM_CAPITAL_RATE, "PCT"), SETTING, .help = "percent a year that the money in owned servers costs (default: --discount-rate)") \
    ROW(OPT_CURRENT, "current", 0, TEXT("[Nx]SKU@PRICE"), SETTING, SEVERAL, .help = "what runs today, how many of them, and the price in $/GPU-h: 8xh100-sxm5-80gb@2.50") \
    ROW(OPT_STACK, "stack", 0, TEXT("FILE"), SETTING, .help = "frameworks, own kernels and needs, as `gpuadvise stack init` lays them out") \
    ROW(OPT_SOURCE, "source", 0, TEXT("PATH"), .help = "code that would have to move: adds days, money and break-even") \
    ROW(OPT_HORIZON, "horizon-months", 0, TERM(TERM_HORIZON, "N"), SETTING, .help = "months over which a move has to pay") \
    ROW(OPT_DISCOUNT_RATE, "discount-rate", 0, TERM(TERM_DISCOUNT_RATE, "PCT"), SETTING, .help = "percent a year by which later money counts for less") \
    ROW(OPT_TEAM_SIZE, "team-size", 0, TERM(TERM_TEAM_SIZE, "N"), SETTING, .help = "engineers who work on a move at the same time") \
    ROW(OPT_MOVABLE, "movable-share", 0, TERM(TERM_MOVABLE_SHARE, "X"), SETTING, .help = "share of the load that needs no blocker solved, 0-1") \
    ROW(OPT_JOBS, "jobs-per-month", 0, TERM(TERM_JOBS_MONTH, "N"), SETTING, .help = "how often a training or HPC job runs a month") \
    ROW(OPT_API_OUTPUT, "api-usd-per-mtok", 0, TERM(TERM_API_OUTPUT, "USD"), SETTING, .help = "an API's price of a million output tokens, to compare with") \
    ROW(OPT_API_INPUT, "api-input-usd-per-mtok", 0, TERM(TERM_API_INPUT, "USD"), SETTING, .help = "the same for input tokens") \
    /* requests of logs and traces */ \
    ROW(OPT_MAP, "map", 0, TEXT("ROLE=COLUMN"), .repeat = true, .help = "which column of a log means what: time=COLUMN:UNIT (iso, s, ms, us, ns), input, output, cached, session, blocks, status; several with commas") \
    ROW(OPT_BLOCK_TOKENS, "block-tokens", 0, INTEGER(1, 65536), .help = "tokens of a block whose hash stands in the log, where its format does not say") \
    ROW(OPT_SERVICE, "service-ms", 0, .kind = OPTION_LINK, .metavar = "FIRST,IN,OUT", .help = "milliseconds that a request takes for the count of those in flight: until its first token, a token of the prompt, a further token of the answer (default: 200,0.1,30)") \
    ROW(OPT_SESSIONS, "sessions", 0, INTEGER(1, 100000), .help = "sessions of agents at once, each thinking between an answer and its next request; traffic: where a trace stands by session (default: 16)") \
    ROW(OPT_TRAFFIC, "traffic", 0, TEXT("NAME|FILE"), .repeat = true, .help = "size for the busiest hour of this traffic, and say what a day costs: a name of `gpuadvise traffic`, or a log or trace; several with commas share one fleet") \
    ROW(OPT_START_MIN, "start-min", 0, NUMBER("MIN", 0, 1440), SETTING, .help = "minutes until an instance that is started serves, for a fleet that follows the load (default: 10)") \
    ROW(OPT_BILLING_MIN, "billing-min", 0, NUMBER("MIN", 0, 44640), SETTING, .help = "minutes that an instance is billed in whole numbers of (default: 60)") \
    ROW(OPT_GROWTH, "growth", 0, TEXT("PCT"), SETTING, .help = "percent by which a traffic grows each month (5 or 5%): the fleet of each of --horizon-months, what they cost together, and when the first one is too small")
// clang-format on

#endif
