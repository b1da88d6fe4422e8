// The tables of `data/`: what the lists of columns in the headers of this folder say, as Tables.
#include "src/facts/tables.h"

#include "src/facts/agentic.h"
#include "src/facts/columns.h"
#include "src/facts/facts.h"
#include "src/facts/needs.h"

// Of the database, which makes its tables from them.
const Table fact_tables[TABLE_COUNT] = {
    [TABLE_GPUS] = TABLE("gpus", Gpu, GPU_FIELDS),
    [TABLE_DEVICE_IDS] = TABLE("device_ids", DeviceId, DEVICE_ID_FIELDS),
    [TABLE_MODELS] = TABLE("models", Model, MODEL_FIELDS),
    [TABLE_TRAFFIC] = TABLE("traffic", Traffic, TRAFFIC_FIELDS),
    [TABLE_WORKLOADS] = TABLE("workloads", Workload, WORKLOAD_FIELDS),
    [TABLE_OFFERS] = TABLE("offers", Offer, OFFER_FIELDS),
    [TABLE_SUPPORT] = TABLE("support", Claim, CLAIM_FIELDS),
    [TABLE_LIBRARIES] = TABLE("libraries", Library, LIBRARY_FIELDS),
    [TABLE_PACKAGES] = TABLE("packages", Package, PACKAGE_FIELDS),
    [TABLE_ENGINES] = TABLE("engines", EngineSupport, ENGINE_SUPPORT_FIELDS),
    [TABLE_ENGINE_LIMITS] = TABLE("engine_limits", EngineLimits, ENGINE_LIMITS_FIELDS),
    [TABLE_PRECISIONS] = TABLE("precisions", Precision, PRECISION_FIELDS),
    [TABLE_EFFICIENCY] = TABLE("efficiency", Efficiency, EFFICIENCY_FIELDS),
    [TABLE_TASK_EFFICIENCY] = TABLE("task_efficiency", TaskEfficiency, TASK_EFFICIENCY_FIELDS),
    [TABLE_HPC_CASES] = TABLE("hpc_cases", HpcCase, HPC_CASE_FIELDS),
    [TABLE_MEASUREMENTS] = TABLE("measurements", Measurement, MEASUREMENT_FIELDS),
    [TABLE_REGIONS] = TABLE("regions", Region, REGION_FIELDS),
    [TABLE_SELLERS] = TABLE("sellers", Seller, SELLER_FIELDS),
    [TABLE_SELLER_CLASSES] = TABLE("seller_classes", SellerClassFact, SELLER_CLASS_FACT_FIELDS),
    [TABLE_CHECKPOINTS] = TABLE("checkpoints", Checkpoint, CHECKPOINT_FIELDS),
    [TABLE_PRICE_MOVES] = TABLE("price_moves", PriceMove, PRICE_MOVE_FIELDS),
    [TABLE_CONSTANTS] = TABLE("constants", Constant, CONSTANT_FIELDS),
    [TABLE_CONSTRUCTS] = TABLE("cuda_constructs", PortRule, PORT_RULE_FIELDS),
    [TABLE_PORTS] = TABLE("ports", Port, PORT_FIELDS),
    [TABLE_EFFORT_FACTORS] = TABLE("effort_factors", EffortFactor, EFFORT_FACTOR_FIELDS),
};

const Reference fact_references[] = {
    {TABLE_DEVICE_IDS, "sku_id", TABLE_GPUS, "sku_id"},
    {TABLE_WORKLOADS, "model_id", TABLE_MODELS, "model_id"},
    {TABLE_WORKLOADS, "traffic_id", TABLE_TRAFFIC, "traffic_id"},
    {TABLE_CHECKPOINTS, "model_id", TABLE_MODELS, "model_id"},
    {TABLE_OFFERS, "sku_id", TABLE_GPUS, "sku_id"},
};
const size_t n_fact_references = sizeof fact_references / sizeof *fact_references;

const Table measured_table = TABLE("measurements", Measurement, MEASURED_FIELDS);

const Table offer_current_table = TABLE("offers", Offer, OFFER_CURRENT_FIELDS);

// Read from their text whenever somebody asks, and in no database.
const Table cuda_names_table = TABLE("cuda_api_map", CudaName, CUDA_NAME_FIELDS);
const Table port_trees_table = TABLE("port_trees", PortedTree, PORTED_TREE_FIELDS);
const Table port_findings_table = TABLE("port_findings", PortFinding, PORT_FINDING_FIELDS);
const Table text_patterns_table = TABLE_AS_FILED("text_patterns", TextPatternFact, TEXT_PATTERN_FACT_FIELDS);
const Table cuda_patterns_table = TABLE_AS_FILED("cuda_patterns", CudaPattern, CUDA_PATTERN_FIELDS);
const Table library_signs_table = TABLE_AS_FILED("library_signs", LibrarySign, LIBRARY_SIGN_FIELDS);
const Table claims_table = TABLE("claims", PublicClaim, PUBLIC_CLAIM_FIELDS);
const Table instance_gpus_table = TABLE("instance_gpus", InstanceGpu, INSTANCE_GPU_FIELDS);
const Table seller_names_table = TABLE("seller_names", SellerName, SELLER_NAME_FIELDS);
const Table healthy_gpus_table = TABLE("healthy_gpus", HealthyGpu, HEALTHY_GPU_FIELDS);
const Table gcp_machines_table = TABLE("gcp_machines", PartsMachine, PARTS_MACHINE_FIELDS);
const Table user_names_table = TABLE("names", UserName, USER_NAME_FIELDS);
const Table engine_precisions_table = TABLE("engine_precisions", EnginePrecision, ENGINE_PRECISION_FIELDS);
const Table block_checkpoints_table = TABLE("block_checkpoints", BlockCheckpoint, BLOCK_CHECKPOINT_FIELDS);
const Table engine_loads_table = TABLE("engine_loads", EngineLoad, ENGINE_LOAD_FIELDS);
const Table engine_defaults_table = TABLE("engine_defaults", EngineDefaults, ENGINE_DEFAULTS_FIELDS);
const Table agentic_runs_table = TABLE("agentic_runs", AgenticRun, AGENTIC_RUN_FIELDS);
const Table api_prices_table = TABLE("api_prices", ApiPrice, API_PRICE_FIELDS);
const Table kv_settings_table = TABLE("kv_capacities", KvSetting, KV_SETTING_FIELDS);
const Table publishers_table = TABLE("publishers", Publisher, PUBLISHER_FIELDS);
const Table kernels_table = TABLE("kernels", KernelFit, KERNEL_FIT_FIELDS);
const Table moe_times_table = TABLE("moe_points", MoeTimes, MOE_TIMES_FIELDS);
const Table decision_table = TABLE("decision", Assumption, ASSUMPTION_FIELDS);
const Table licences_table = TABLE("licences", Licence, LICENCE_FIELDS);
const Table needs_table = TABLE("needs", StackNeed, STACK_NEED_FIELDS);
const Table move_steps_table = TABLE("move_steps", MoveStep, MOVE_STEP_FIELDS);
