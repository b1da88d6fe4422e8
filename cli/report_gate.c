// Gates of `report` against limits and an earlier answer, and `report diff`.
#include "cli/report_gate.h"

#include "src/report/moved.h"

enum { FILE_BYTES_MAX = 64 * 1024 * 1024 };

static bool read_answer(App *app, const char *path, Baseline *ret_baseline, Err *e) {
    Str text;
    return file_read(&app->arena, path, FILE_BYTES_MAX, &text, e) &&
           baseline_read(text, path, &app->arena, ret_baseline, e);
}

bool verdict_gate_read(App *app, VerdictGate *ret_gate, Err *e) {
    Baseline b;
    *ret_gate =
        (VerdictGate){.set = opt_set(app, OPT_FAIL_CHANGES), .file = opt_text(app, OPT_FAIL_CHANGES, "")};
    if (!ret_gate->set) return true;
    if (!read_answer(app, ret_gate->file, &b, e)) return err_wrap(e, "option '--fail-if-verdict-changes'");
    ret_gate->winner = b.winner;
    ret_gate->generated_at = b.generated_at;
    json_free(b.root);
    return true;
}

int report_gates(App *app, const VerdictGate *gate, const Advice *advice) {
    int code = EXIT_DONE;
    double limit = opt_number(app, OPT_FAIL_OVER, 0);
    const Option *best = cheapest_offered(advice);
    if (opt_set(app, OPT_FAIL_OVER) && serves_tokens(&advice->ask->workload) && best != NULL &&
        best->output_usd_mtok.value > limit) {
        app_warn(app, "gate: the best option costs $%.4f per million output tokens, over $%g",
                 best->output_usd_mtok.value, limit);
        code = EXIT_GATE;
    }
    if (gate->set && advice->verdict.winner == WINNER_UNKNOWN) {
        app_warn(app, "gate: no verdict can be given, so whether it changed is not known: %s",
                 advice->verdict.unknown_because);
        code = EXIT_GATE;
    } else if (gate->set && gate->winner != advice->verdict.winner) {
        app_warn(app, "gate: the verdict is %s, and was %s in '%s' (%s)",
                 winner_names[advice->verdict.winner], winner_names[gate->winner], gate->file,
                 gate->generated_at);
        code = EXIT_GATE;
    }
    return code;
}

int report_diff(App *app) {
    Err e = {0};
    Baseline from = {0}, to = {0};
    Difference *list = arena_alloc(&app->arena, DIFFERENCES_MAX, sizeof *list);
    if (!read_answer(app, app->args[0], &from, &e) || !read_answer(app, app->args[1], &to, &e)) {
        json_free(from.root);
        return app_fail(app, &e);
    }
    size_t n = baseline_diff(&from, &to, &app->arena, list);
    Moved *moved = arena_alloc(&app->arena, 1, sizeof *moved);
    baseline_moved(&from, &to, &app->arena, moved);
    if (app->format == FORMAT_JSON) {
        Json *root = app_json(app);
        json_add(app->inputs, J_TEXT("from", from.name), J_TEXT("to", to.name));
        diff_json(&from, &to, list, n, root);
        moved_json(moved, root);
    } else {
        diff_text(&from, &to, list, n, moved, app->format, app_room(app), &app->arena, &app->out);
    }
    json_free(from.root);
    json_free(to.root);
    return EXIT_DONE;
}
