// migrate: from a CUDA code base to days, with reasons.
#include "cli/cmd.h"
#include "cli/migrate.h"

static const Verb verbs[] = {{"ports", "", 0, 0}, {"explain", "[RULE]", 0, 1}, {"api", "NAME", 1, 1}};

static int (*const runs[])(App *app) = {migrate_ports, migrate_explain, migrate_api};  // as in `verbs`

static int run(App *app) { return runs[app->verb - verbs](app); }

const Command cmd_migrate = {
    .name = "migrate",
    .summary = "what it takes to move CUDA code to ROCm",
    .description = "`explain` says what a rule of the porting scan means, `api` looks one CUDA name up, `ports` holds the effort model against ports that happened.",
    .verbs = verbs,
    .n_verbs = COUNT_OF(verbs),
    .formats = FORMATS_LISTING,
    .planned_verbs = "scan",
    .run = run,
};
