// migrate: from a CUDA code base to days, with reasons.
#include "cli/cmd.h"
#include "cli/migrate.h"

static const Verb verbs[] = {
    {"ports", "", 0, 0, false, "the effort model against ports that happened", NO_OPTIONS, migrate_ports},
    {"scan", "PATH", 1, 1, false, "what stands in the way of a tree of sources, and how many days it takes",
     TAKES(OPT_ROCM, OPT_GPU, OPT_TEAM, OPT_TEST_COVERAGE, OPT_ENGINEER_DAY, OPT_EXCLUDE, OPT_BASELINE,
           OPT_FAIL_OVER_DAYS, OPT_CLASS, OPT_RULE, OPT_PATH, OPT_WHERE, OPT_SORT),
     migrate_scan},
    {"explain", "[RULE]", 0, 1, false, "what a rule of the scan means; without a name all rules", NO_OPTIONS,
     migrate_explain},
    {"api", "NAME", 1, 1, false, "what becomes of a CUDA name or library", TAKES(OPT_ROCM), migrate_api},
    {"fix", "FOLDER", 1, 1, false, "a patch of what can be proven, with the rest marked",
     TAKES(OPT_WRITE, OPT_CHECK, OPT_ROCM, OPT_GPU, OPT_EXCLUDE), migrate_fix}};

static bool allows(const App *app, Err *e) {
    static const OptionId listing[] = {OPT_CLASS, OPT_RULE, OPT_PATH};
    bool scan = app->verb->run == migrate_scan;
    if (app->format == FORMAT_SARIF && !scan)
        return err_set(e, ERR_USAGE, "format 'sarif' is for 'migrate scan'");
    for (size_t i = 0; i < COUNT_OF(listing) && !scan; i++) {
        if (opt_set(app, listing[i]))
            return err_set(e, ERR_USAGE, "option '--%s' chooses findings of 'migrate scan'",
                           option_table[listing[i]].name);
    }
    return true;
}

COMMAND(migrate, "migrate", FORMATS_LISTING | 1u << FORMAT_SARIF, .allows = allows,
        .summary = "what it takes to move CUDA code to ROCm",
        .description = "`scan` reads a tree of sources and says what stands in the way and how many days it "
                       "takes, `explain` says what a rule of the porting scan means, `api` looks one CUDA "
                       "name or library up, `fix` writes the patch of what can be proven and marks the rest, "
                       "`ports` holds the effort model against ports that happened.");
