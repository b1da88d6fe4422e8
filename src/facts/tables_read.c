// Columns of the tables that are read from their text whenever somebody asks, and are in no database. A new
// column is one line here.
#include "src/facts/table_fields.h"
#include "src/facts/tables.h"
#include "src/facts/agentic.h"
#include "src/facts/facts.h"
#include "src/facts/needs.h"

static const Field claim_fields[] = {
    KEY(PublicClaim, claim),
    NAME(PublicClaim, kind, claim_kind_names),
    MUST(PublicClaim, what),
    TEXT(PublicClaim, model),
    TEXT(PublicClaim, gpu),
    NUM(PublicClaim, gpus, 1, 100000),
    MAYBE(PublicClaim, weights, dtype_names),
    NUM(PublicClaim, batch, 1, 1e9),
    NUM(PublicClaim, isl_tokens, 1, 1e9),
    NUM(PublicClaim, osl_tokens, 1, 1e9),
    NUM(PublicClaim, steps, 1, 10000),
    NUM(PublicClaim, tokens_per_s, 1e-6, 1e12),
    NUM(PublicClaim, images_per_s, 1e-6, 1e9),
    NUM(PublicClaim, tflops, 1e-3, 1e9),
    NUM(PublicClaim, usd_per_hour, 1e-6, 1e9),
    NUM(PublicClaim, usd_per_gpu_hour, 1e-6, 1e9),
    NUM(PublicClaim, usd_per_mtok, 1e-6, 1e9),
    NUM(PublicClaim, hours, 1e-6, 1e9),
    NUM(PublicClaim, usd_total, 1e-6, 1e12),
    TEXT(PublicClaim, subject),
    TEXT(PublicClaim, platform),
    TEXT(PublicClaim, status),
    MAYBE(PublicClaim, compares, compared_names),
    TEXT(PublicClaim, engine),
    TEXT(PublicClaim, against_gpu),
    NUM(PublicClaim, against_gpus, 1, 100000),
    TEXT(PublicClaim, against_engine),
    NUM(PublicClaim, claimed_low, 1e-6, 1e6),
    NUM(PublicClaim, claimed_high, 1e-6, 1e6),
    ORIGIN(PublicClaim),
};

static const Field cuda_name_fields[] = {
    KEY(CudaName, cuda_name),       KEY(CudaName, library),
    MUST(CudaName, kind),           TEXT(CudaName, hip_name),
    TEXT(CudaName, hip_since),      TEXT(CudaName, hip_experimental),
    TEXT(CudaName, hip_deprecated), TEXT(CudaName, hip_removed),
    TEXT(CudaName, cuda_added),     TEXT(CudaName, cuda_deprecated),
    TEXT(CudaName, cuda_removed),   MUST(CudaName, target),
    BOOL(CudaName, shared_name),    ORIGIN(CudaName),
};

static const Field instance_gpu_fields[] = {KEY(InstanceGpu, provider),
                                            KEY(InstanceGpu, instance),
                                            TEXT(InstanceGpu, sku_id),
                                            MUST(InstanceGpu, gpu),
                                            MUSTNUM(InstanceGpu, gpu_count, 0.01, 1024),
                                            ORIGIN(InstanceGpu)};

static const Field port_tree_fields[] = {
    KEY(PortedTree, port),      MUST(PortedTree, tree), NUM(PortedTree, cuda_lines, 0, 1e9),
    BOOL(PortedTree, held_out), MUST(PortedTree, why),  ORIGIN(PortedTree),
};

static const Field port_finding_fields[] = {
    KEY(PortFinding, tree),
    KEY(PortFinding, rule),
    MUSTNUM(PortFinding, count, 0, 1e9),
    ORIGIN(PortFinding),
};

static const Field text_pattern_fields[] = {
    KEY(TextPatternFact, rule),    KEYTEXT(TextPatternFact, before), KEY(TextPatternFact, text),
    KEY(TextPatternFact, kinds),   MUST(TextPatternFact, where),     TEXT(TextPatternFact, also),
    TEXT(TextPatternFact, unless), TEXT(TextPatternFact, file),      TEXT(TextPatternFact, fires),
    TEXT(TextPatternFact, quiet),  ORIGIN(TextPatternFact),
};

static const Field cuda_pattern_fields[] = {
    KEY(CudaPattern, rule),       KEYNAME(CudaPattern, place, cuda_place_names),
    KEY(CudaPattern, text),       TEXT(CudaPattern, needs),
    BOOL(CudaPattern, says_cuda), TEXT(CudaPattern, fires),
    TEXT(CudaPattern, quiet),     ORIGIN(CudaPattern),
};

static const Field library_sign_fields[] = {
    KEY(LibrarySign, library), KEY(LibrarySign, rule),     TEXT(LibrarySign, names),
    TEXT(LibrarySign, link),   KEYTEXT(LibrarySign, word), ORIGIN(LibrarySign),
};

static const Field seller_name_fields[] = {KEY(SellerName, provider), KEY(SellerName, listed_name),
                                           MUST(SellerName, sku_id), ORIGIN(SellerName)};

static const Field healthy_gpu_fields[] = {KEY(HealthyGpu, sku_id),
                                           KEY(HealthyGpu, test),
                                           NUM(HealthyGpu, gpu_count, 2, 1024),
                                           NUM(HealthyGpu, median_gb_s, 5, 50000),
                                           NUM(HealthyGpu, low_gb_s, 5, 50000),
                                           NUM(HealthyGpu, high_gb_s, 5, 50000),
                                           NUM(HealthyGpu, median_tflop_s, 1, 50000),
                                           NUM(HealthyGpu, low_tflop_s, 1, 50000),
                                           NUM(HealthyGpu, high_tflop_s, 1, 50000),
                                           MUST(HealthyGpu, kind),
                                           ORIGIN(HealthyGpu)};

static const Field gcp_machine_fields[] = {KEY(PartsMachine, machine),
                                           MUST(PartsMachine, gpu_words),
                                           TEXT(PartsMachine, core_words),
                                           TEXT(PartsMachine, ram_words),
                                           TEXT(PartsMachine, sku_id),
                                           MUST(PartsMachine, gpu),
                                           MUSTNUM(PartsMachine, gpu_count, 0.01, 1024),
                                           NUM(PartsMachine, vcpus, 1, 4096),
                                           NUM(PartsMachine, ram_gib, 1, 1e5),
                                           MUSTNUM(PartsMachine, ssd_gib, 0, 1e6),
                                           BOOL(PartsMachine, on_demand),
                                           ORIGIN(PartsMachine)};

static const Field assumption_fields[] = {
    KEY(Assumption, name),
    MUSTNUM(Assumption, value, 0, 1e9),
    MUSTNUM(Assumption, low, 0, 1e9),
    MUSTNUM(Assumption, high, 0, 1e9),
    MUST(Assumption, unit),
    MUST(Assumption, what),
    ORIGIN(Assumption),
};

static const Field licence_fields[] = {
    KEYNAME(Licence, vendor, vendor_names),
    KEY(Licence, name_begins),
    TEXT(Licence, datacenter),
    TEXT(Licence, licence),
    TEXT(Licence, memory),
    ORIGIN(Licence),
};

static const Field user_name_fields[] = {
    KEYNAME(UserName, kind, named_kind_names),
    KEY(UserName, name),
    TEXT(UserName, means),
    TEXT(UserName, note),
    ORIGIN(UserName),
};

static const Field need_fields[] = {
    KEY(StackNeed, need),       MUST(StackNeed, title),
    TEXT(StackNeed, subject),   NAME(StackNeed, on_amd, fit_names),
    TEXT(StackNeed, gpu_scope), TEXT(StackNeed, change),
    TEXT(StackNeed, lost),      TEXT(StackNeed, trap),
    TEXT(StackNeed, rule),      NUM(StackNeed, count, 0, 1e4),
    ORIGIN(StackNeed),
};

static const Field move_step_fields[] = {
    KEYNUM(MoveStep, step, 1, 1000),
    MUST(MoveStep, when),
    MUST(MoveStep, title),
    MUST(MoveStep, how),
    TEXT(MoveStep, trap),
    ORIGIN(MoveStep),
};

static const Field engine_precision_fields[] = {
    KEY(EnginePrecision, engine),
    KEYNAME(EnginePrecision, vendor, vendor_names),
    KEY(EnginePrecision, architecture),
    KEYNAME(EnginePrecision, weights, dtype_names),
    KEYTEXT(EnginePrecision, layers),
    {"compute", FIELD_NAME, offsetof(EnginePrecision, compute), false, false, 0, 0, dtype_names, NULL},
    MUST(EnginePrecision, status),
    MUST(EnginePrecision, note),
    ORIGIN(EnginePrecision),
};

static const Field engine_default_fields[] = {
    KEY(EngineDefaults, engine),
    MUSTKEYNUM(EngineDefaults, from_release, 0, 1e6),
    FIELD(EngineDefaults, from_date, FIELD_DATE, false, true, 0, 0, NULL),
    FIELD(EngineDefaults, large, FIELD_BOOL, true, false, 0, 0, NULL),
    NUM(EngineDefaults, max_running_sequences, 1, 1e5),
    NUM(EngineDefaults, chunk_tokens, 1, 1e6),
    ORIGIN(EngineDefaults),
};

static const Field block_checkpoint_fields[] = {
    KEY(BlockCheckpoint, model_id),
    KEYNAME(BlockCheckpoint, weights, dtype_names),
    MUSTNUM(BlockCheckpoint, block, 8, 4096),
    MUST(BlockCheckpoint, hf_name),
    ORIGIN(BlockCheckpoint),
};

static const Field engine_load_fields[] = {
    KEY(EngineLoad, engine),
    KEYNAME(EngineLoad, vendor, vendor_names),
    KEY(EngineLoad, architecture),
    KEYNAME(EngineLoad, kind, load_kind_names),
    MUSTNUM(EngineLoad, sequences, 1, 1e6),
    NUM(EngineLoad, rows, 1, 1e6),
    TEXT(EngineLoad, note),
    ORIGIN(EngineLoad),
};

static const Field agentic_run_fields[] = {
    KEY(AgenticRun, run),
    MUST(AgenticRun, gpu_sku),
    MUSTNUM(AgenticRun, gpu_count, 1, 1024),
    MUST(AgenticRun, model),
    NAME(AgenticRun, precision_weights, dtype_names),
    MAYBE(AgenticRun, precision_kv, dtype_names),
    MUST(AgenticRun, engine),
    TEXT(AgenticRun, engine_version),
    MUSTNUM(AgenticRun, tp, 1, 1024),
    MUSTNUM(AgenticRun, ep, 1, 1024),
    NUM(AgenticRun, memory_fraction, 0.1, 1),
    MUST(AgenticRun, offload),
    NUM(AgenticRun, host_gb, 0.001, 1e6),
    MUSTNUM(AgenticRun, sessions, 1, 1e6),
    TEXT(AgenticRun, dataset),
    NUM(AgenticRun, requests, 0, 1e9),
    NUM(AgenticRun, duration_s, 0, 1e9),
    NUM(AgenticRun, input_tokens, 1, 1e9),
    NUM(AgenticRun, output_tokens, 1, 1e9),
    NUM(AgenticRun, hit_rate_max, 0, 1),
    NUM(AgenticRun, hit_device, 0, 1),
    NUM(AgenticRun, hit_host, 0, 1),
    NUM(AgenticRun, kv_tokens, 1, 1e12),
    NUM(AgenticRun, running, 0, 1e6),
    NUM(AgenticRun, waiting, 0, 1e6),
    NUM(AgenticRun, ttft_s, 1e-6, 1e6),
    NUM(AgenticRun, tpot_s, 1e-9, 1e6),
    NUM(AgenticRun, e2e_s, 1e-6, 1e6),
    NUM(AgenticRun, total_tokens_per_s, 1e-9, 1e12),
    TEXT(AgenticRun, flag),
    ORIGIN(AgenticRun),
};

static const Field kv_setting_fields[] = {
    KEY(KvSetting, gpu_sku),
    KEY(KvSetting, model),
    MUSTKEYNUM(KvSetting, tp, 1, 1024),
    KEY(KvSetting, engine),
    KEYTEXT(KvSetting, engine_version),
    MUSTNUM(KvSetting, memory_fraction, 0.1, 1),
    KEYNAME(KvSetting, precision_weights, dtype_names),
    MAYBE(KvSetting, precision_kv, dtype_names),
    KEY(KvSetting, offload),
    MUSTNUM(KvSetting, kv_tokens_low, 1, 1e12),
    MUSTNUM(KvSetting, kv_tokens_high, 1, 1e12),
    MUSTNUM(KvSetting, starts, 1, 1e6),
    TEXT(KvSetting, note),
    KEY(KvSetting, source),
    DATE(KvSetting, as_of),
};

static const Field api_price_fields[] = {
    KEY(ApiPrice, model),
    KEY(ApiPrice, provider),
    MUSTNUM(ApiPrice, input_usd_mtok, 0, 1e6),
    NUM(ApiPrice, cached_usd_mtok, 0, 1e6),
    MUSTNUM(ApiPrice, output_usd_mtok, 0, 1e6),
    TEXT(ApiPrice, note),
    ORIGIN(ApiPrice),
};

static const Field publisher_fields[] = {KEY(Publisher, submitter), MUST(Publisher, publisher),
                                         MUST(Publisher, note), ORIGIN(Publisher)};

static const Field kernel_fields[] = {
    KEYNAME(KernelFit, op, kernel_op_names),
    KEY(KernelFit, gpu),
    KEY(KernelFit, library),
    FIELD(KernelFit, dtype, FIELD_NAME, true, false, 0, 0, kernel_type_names),
    FIELD(KernelFit, kv, FIELD_NAME, true, false, 0, 0, kernel_type_names),
    KEYNUM(KernelFit, ranks, 2, 8),
    MUSTNUM(KernelFit, t0_us, 0.1, KERNEL_LAUNCH_US_MOST),
    MUSTNUM(KernelFit, eta_bw, 0.01, 1),
    NUM(KernelFit, eta_compute, 0.01, 1),
    NUM(KernelFit, overlap, 1, 20),
    NUM(KernelFit, tail, 0, 1000),
    NUM(KernelFit, wave, 0, 1),
    MUSTNUM(KernelFit, sigma_log, 0.01, 1),
    MUSTNUM(KernelFit, n, 1, 1e6),
    ORIGIN(KernelFit),
};

#define MOE_US(tokens, i)                                                                                    \
    {                                                                                                        \
        "us_" #tokens, FIELD_NUM, offsetof(MoeTimes, us) + (i) * sizeof(double), false, false, 1, 1e6, NULL, \
            NULL                                                                                             \
    }
static const Field moe_fields[] = {
    KEY(MoeTimes, gpu),
    KEY(MoeTimes, library),
    KEYNAME(MoeTimes, dtype, kernel_type_names),
    MUSTKEYNUM(MoeTimes, hidden, 16, 1e6),
    MUSTKEYNUM(MoeTimes, inter, 16, 1e6),
    MUSTKEYNUM(MoeTimes, experts, 1, 1e5),
    MUSTKEYNUM(MoeTimes, topk, 1, 1e3),
    MUSTKEYNUM(MoeTimes, tp, 1, 1024),
    MUSTKEYNUM(MoeTimes, ep, 1, 1024),
    MOE_US(1, 0),
    MOE_US(4, 1),
    MOE_US(16, 2),
    MOE_US(64, 3),
    MOE_US(256, 4),
    MOE_US(1024, 5),
    MOE_US(4096, 6),
    MOE_US(16384, 7),
    ORIGIN(MoeTimes),
};

const Table cuda_names_table = TABLE("cuda_api_map", cuda_name_fields, CudaName);
const Table port_trees_table = TABLE("port_trees", port_tree_fields, PortedTree);
const Table port_findings_table = TABLE("port_findings", port_finding_fields, PortFinding);
const Table text_patterns_table = TABLE_AS_FILED("text_patterns", text_pattern_fields, TextPatternFact);
const Table cuda_patterns_table = TABLE_AS_FILED("cuda_patterns", cuda_pattern_fields, CudaPattern);
const Table library_signs_table = TABLE_AS_FILED("library_signs", library_sign_fields, LibrarySign);
const Table claims_table = TABLE("claims", claim_fields, PublicClaim);
const Table instance_gpus_table = TABLE("instance_gpus", instance_gpu_fields, InstanceGpu);
const Table seller_names_table = TABLE("seller_names", seller_name_fields, SellerName);
const Table healthy_gpus_table = TABLE("healthy_gpus", healthy_gpu_fields, HealthyGpu);
const Table gcp_machines_table = TABLE("gcp_machines", gcp_machine_fields, PartsMachine);
const Table user_names_table = TABLE("names", user_name_fields, UserName);
const Table engine_precisions_table = TABLE("engine_precisions", engine_precision_fields, EnginePrecision);
const Table block_checkpoints_table = TABLE("block_checkpoints", block_checkpoint_fields, BlockCheckpoint);
const Table engine_loads_table = TABLE("engine_loads", engine_load_fields, EngineLoad);
const Table engine_defaults_table = TABLE("engine_defaults", engine_default_fields, EngineDefaults);
const Table agentic_runs_table = TABLE("agentic_runs", agentic_run_fields, AgenticRun);
const Table api_prices_table = TABLE("api_prices", api_price_fields, ApiPrice);
const Table kv_settings_table = TABLE("kv_capacities", kv_setting_fields, KvSetting);
const Table publishers_table = TABLE("publishers", publisher_fields, Publisher);
const Table kernels_table = TABLE("kernels", kernel_fields, KernelFit);
const Table moe_times_table = TABLE("moe_points", moe_fields, MoeTimes);
const Table decision_table = TABLE("decision", assumption_fields, Assumption);
const Table licences_table = TABLE("licences", licence_fields, Licence);
const Table needs_table = TABLE("needs", need_fields, StackNeed);
const Table move_steps_table = TABLE("move_steps", move_step_fields, MoveStep);
