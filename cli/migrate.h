// The parts of `migrate`: one run function a subcommand.
#ifndef GPUADVISE_CLI_MIGRATE_H
#define GPUADVISE_CLI_MIGRATE_H

#include "cli/cli.h"

int migrate_scan(App *app);     // args[0]: a folder or a file
int migrate_explain(App *app);  // args[0]: a rule; none: all of them
int migrate_api(App *app);      // args[0]: a CUDA name
int migrate_fix(App *app);      // args[0]: a folder; the patch, or with --write the files
int migrate_ports(App *app);    // the documented ports against the effort model

// What a porting estimate needs, from the catalog.
bool migrate_facts(App *app, PortingFacts *ret_facts, Err *e);

#endif
