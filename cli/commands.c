// The command table, in the order of help.
#include <string.h>

#include "cli/cmd.h"

const Command *const command_table[] = {
    &cmd_report,     &cmd_estimate, &cmd_validate,   &cmd_calibrate, &cmd_gpus,    &cmd_models,
    &cmd_workloads,  &cmd_traffic,  &cmd_prices,     &cmd_check,     &cmd_tui,     &cmd_compat,
    &cmd_stack,      &cmd_migrate,  &cmd_bench,      &cmd_runs,      &cmd_sources, &cmd_doctor,
    &cmd_self_check, &cmd_help,     &cmd_completion, &cmd_version,
};
const size_t n_commands = COUNT_OF(command_table);

const Command *command_find(const char *name) {
    for (size_t i = 0; i < n_commands; i++) {
        if (strcmp(command_table[i]->name, name) == 0) return command_table[i];
    }
    return NULL;
}

bool command_takes(const Command *c, OptionId id) {
    if (option_table[id].global) return true;
    for (size_t i = 0; i < c->n_options; i++) {
        if (c->options[i] == id) return true;
    }
    return false;
}
