// The constant entry of every command: one `cmd_x.c` each.
#ifndef GPUADVISE_CMD_H
#define GPUADVISE_CMD_H

#include "cli/cli.h"

extern const Command cmd_report, cmd_estimate, cmd_validate, cmd_calibrate, cmd_gpus, cmd_models,
    cmd_workloads, cmd_prices, cmd_compat, cmd_sources;
extern const Command cmd_migrate, cmd_bench, cmd_stack;
extern const Command cmd_check, cmd_runs;
extern const Command cmd_tui;
extern const Command cmd_traffic;
extern const Command cmd_doctor, cmd_self_check, cmd_help, cmd_completion, cmd_version;

#endif
