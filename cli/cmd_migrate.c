// migrate: from a CUDA code base to days, with reasons.
#include "cli/cmd.h"
#include "cli/migrate.h"

static const Verb verbs[] = {
    {"ports", "", 0, 0, false, "the effort model against ports that happened", NO_OPTIONS},
    {"scan", "PATH", 1, 1, false, "what stands in the way of a tree of sources, and how many days it takes",
     TAKES(OPT_ROCM, OPT_GPU, OPT_TEAM, OPT_TEST_COVERAGE, OPT_ENGINEER_DAY, OPT_EXCLUDE, OPT_BASELINE,
           OPT_FAIL_OVER_DAYS, OPT_CLASS, OPT_RULE, OPT_PATH, OPT_WHERE, OPT_SORT)},
    {"explain", "[RULE]", 0, 1, false, "what a rule of the scan means; without a name all rules", NO_OPTIONS},
    {"api", "NAME", 1, 1, false, "what becomes of a CUDA name or library", TAKES(OPT_ROCM)},
    {"fix", "FOLDER", 1, 1, false, "a patch of what can be proven, with the rest marked",
     TAKES(OPT_WRITE, OPT_CHECK, OPT_ROCM, OPT_GPU, OPT_EXCLUDE)}};

// as in `verbs`
static int (*const runs[])(App *app) = {migrate_ports, migrate_scan, migrate_explain, migrate_api,
                                        migrate_fix};

OPTIONS(OPT_ROCM, OPT_GPU, OPT_TEAM, OPT_TEST_COVERAGE, OPT_ENGINEER_DAY, OPT_EXCLUDE, OPT_BASELINE,
        OPT_FAIL_OVER_DAYS, OPT_WRITE, OPT_CHECK, OPT_CLASS, OPT_RULE, OPT_PATH, OPT_WHERE, OPT_SORT);

static int run(App *app) {
    Err e = {0};
    if (app->format == FORMAT_SARIF && runs[app->verb - verbs] != migrate_scan) {
        err_set(&e, ERR_USAGE, "format 'sarif' is for 'migrate scan'");
        return app_fail(app, &e);
    }
    static const OptionId listing[] = {OPT_CLASS, OPT_RULE, OPT_PATH};
    for (size_t i = 0; i < COUNT_OF(listing); i++) {
        if (!opt_set(app, listing[i]) || runs[app->verb - verbs] == migrate_scan) continue;
        err_set(&e, ERR_USAGE, "option '--%s' chooses findings of 'migrate scan'",
                option_table[listing[i]].name);
        return app_fail(app, &e);
    }
    return runs[app->verb - verbs](app);
}

COMMAND(migrate, "migrate", FORMATS_LISTING | 1u << FORMAT_SARIF,
        .summary = "what it takes to move CUDA code to ROCm",
        .description =
            "`scan` reads a tree of sources and says what stands in the way and how many days it "
            "takes, `explain` says what a rule of the porting scan means, `api` looks one CUDA name "
            "or library up, `fix` writes the patch of what can be proven and marks the rest, `ports` "
            "holds the effort model against ports that happened.");
