// The command table, in the order of help.
#include "cli/cmd.h"

static const Command *const rows[] = {
    &cmd_report,     &cmd_estimate, &cmd_validate,   &cmd_calibrate, &cmd_gpus,    &cmd_models,
    &cmd_workloads,  &cmd_traffic,  &cmd_prices,     &cmd_check,     &cmd_tui,     &cmd_compat,
    &cmd_stack,      &cmd_migrate,  &cmd_bench,      &cmd_runs,      &cmd_sources, &cmd_doctor,
    &cmd_self_check, &cmd_help,     &cmd_completion, &cmd_version,
};
const CommandTable command_table = {rows, COUNT_OF(rows)};
