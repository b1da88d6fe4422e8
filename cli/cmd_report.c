// `gpuadvise report`: the advice for a workload.
#include <math.h>
#include <string.h>

#include "catalog/feeds/feed.h"
#include "catalog/facts/runs.h"
#include "cli/cmd.h"
#include "cli/migrate_scan.h"
#include "cli/own_runs.h"
#include "cli/report_ask.h"
#include "cli/report_gate.h"
#include "cli/report_page.h"
#include "cli/report_price.h"
#include "cli/report_traffic.h"
#include "cli/stack.h"

// ---------------------------------------------------------------- the answer

// A refresh that makes one vendor's prices fresh and leaves the other's old would turn the answer.
static void warn_of_sides(App *app, const Facts *f) {
    enum { FRESH_DAYS = 30 };
    const Offer **fresh = arena_alloc(&app->arena, f->n_offers + 1, sizeof *fresh);
    size_t n = 0;
    bool unknown = false;
    for (size_t i = 0; i < f->n_offers; i++) {
        const Offer *o = &f->offers[i];
        int64_t day = 0;
        bool refreshed = o->feed != NULL && o->feed[0] != '\0' && o->available != AVAILABLE_NO &&
                         o->standing == STANDING_LISTED;
        if (!refreshed || !parse_date(str_of(o->as_of), &day, NULL) || app->now / DAY_S - day > FRESH_DAYS)
            continue;
        fresh[n++] = o;
        unknown = unknown || o->sku_id[0] == '\0';
    }
    const char *sides = unknown ? market_one_sided(f->gpus, f->n_gpus, fresh, n, &app->arena) : "";
    if (sides[0] != '\0') app_warn_text(app, sides);
}

static void warn_about(App *app, const Facts *f, const Advice *advice) {
    double limit = constant_of(f, CONSTANT_PRICE_AGE_WARN_DAYS);
    for (int v = 0; v < VENDOR_COUNT; v++) {
        const Option *o = advice->best[v];
        if (o != NULL && o->serving.group != NULL && o->basis == BASIS_EXTRAPOLATED &&
            !in_reach(&o->reach, o->point.running, o->concurrency)) {
            app_warn(app, "%s: %g in flight are extrapolated",
                     reach_words(&o->reach, o->gpu, o->engine, &app->arena), o->concurrency);
        }
        if (o != NULL && o->price_ahead)
            app_warn(app,
                     "the price of the best %s option (%s) is dated %s, ahead of this machine's clock: its "
                     "age is not known",
                     vendor_titles[v], o->offer->provider, o->offer->as_of);
        if (o == NULL || (double)o->price_age_days <= limit) continue;
        app_warn(app, "the price of the best %s option (%s) is %s old", vendor_titles[v], o->offer->provider,
                 counted(&app->arena, (size_t)o->price_age_days, "day"));
    }
    const Ask *ask = advice->ask;
    if (serves_tokens(&ask->workload) &&
        ask->workload.isl_tokens + ask->workload.osl_tokens > ask->model->max_context) {
        app_warn(app, "%g tokens are more than the %g that model '%s' was made for",
                 ask->workload.isl_tokens + ask->workload.osl_tokens, ask->model->max_context,
                 ask->model->model_id);
    }
    if (advice->offers_too_old > 0)
        app_warn(app, "left out as older than --max-age, or of unknown age: %s",
                 counted(&app->arena, advice->offers_too_old, "offer"));
    warn_of_sides(app, f);
}

static const char *ages_line(App *app, Catalog *catalog) {
    const DataAge *ages = NULL;
    size_t n = 0;
    Err e = {0};
    if (!catalog_ages(catalog, false, &app->arena, &ages, &n, &e)) {
        app_warn(app, "age of the facts unknown: %s", e.text);
        return "age of the facts unknown";
    }
    Buf line;
    buf_init(&line, BUF_LIMIT);
    buf_printf(&line, "facts (%s), newest row of each table:", catalog_data_origin(catalog));
    for (size_t i = 0, shown = 0; i < n; i++) {
        if (ages[i].rows > 0)
            buf_printf(&line, "%s %s %s", shown++ > 0 ? "," : "", ages[i].table, ages[i].newest);
    }
    return buf_take(&line, &app->arena);
}

// The command with what environment and settings file added to it.
static const char *whole_command(App *app) {
    Buf line;
    buf_init(&line, BUF_LIMIT);
    buf_puts(&line, app->command_line);
    for (int id = 0; id < OPT_COUNT; id++) {
        const OptionValue *v = &app->values[id];
        if ((v->level != LEVEL_ENVIRONMENT && v->level != LEVEL_FILE) ||
            !(command_takes(app->command, (OptionId)id) || option_table[id].global))
            continue;
        for (size_t i = 0; i < v->n; i++) {
            bool flag = option_table[id].kind == OPTION_FLAG;
            if (!flag) buf_printf(&line, " --%s='%s'", option_table[id].name, v->texts[i]);
            if (flag && v->numbers[i] > 0) buf_printf(&line, " --%s", option_table[id].name);
        }
    }
    return buf_take(&line, &app->arena);
}

// A copy that outlives this command.
static const Advice *kept(Arena *a, const Advice *advice) {
    Advice *copy = arena_alloc(a, 1, sizeof *copy);
    Ask *ask = arena_alloc(a, 1, sizeof *ask);
    *ask = *advice->ask;
    *copy = *advice;
    copy->ask = ask;
    return copy;
}

static void print_advice(App *app, Catalog *catalog, const Facts *f, const Advice *advice) {
    if (app->capture != NULL) app->capture->advice = kept(&app->arena, advice);
    if (app->format == FORMAT_JSON) {
        Json *root = app_json(app);
        advice_json(advice, &app->arena, root, app->inputs);
        terms_json(f, advice->ask, root);
        Json *facts = json_add_object(root, "facts");
        json_add(facts, J_TEXT("origin", catalog_data_origin(catalog)),
                 J_TEXT("digest", catalog_digest(catalog)));
        return;
    }
    const char *made = arena_printf(&app->arena, "%s, gpuadvise %s", app_today(app), tool_version());
    ReportFrame frame = {.made = made,
                         .generated_at = app->now,
                         .warnings = app->warnings,
                         .n_warnings = app->n_warnings,
                         .command_line = whole_command(app),
                         .data_ages = ages_line(app, catalog),
                         .facts = f,
                         .explain = opt_flag(app, OPT_EXPLAIN)};
    ReportPage page;
    if (app->format == FORMAT_HTML) {
        report_page(app, f, advice, &page);
        frame.page = &page;
    }
    advice_text(advice, &frame, app->format, app_room(app), &app->arena, &app->out);
}

static int exit_code(App *app, const VerdictGate *gate, const Advice *advice) {
    if (advice->nothing_but_age) return EXIT_STALE;
    if (cheapest_offered(advice) == NULL) return EXIT_NO;
    int gates = report_gates(app, gate, advice);
    if (gates != EXIT_DONE) return gates;
    return advice->verdict.winner == WINNER_UNKNOWN && !advice->verdict.filtered ? EXIT_NO : EXIT_DONE;
}

// What only says something about the code that --source names.
static bool only_with_source(const App *app, Err *e) {
    static const OptionId with[] = {OPT_ROCM, OPT_TEAM, OPT_TEST_COVERAGE, OPT_EXCLUDE};
    for (size_t i = 0; i < COUNT_OF(with) && !opt_set(app, OPT_SOURCE); i++) {
        if (opt_typed(app, with[i]))
            return err_set(e, ERR_USAGE, "option '--%s' needs '--source'", option_table[with[i]].name);
    }
    return true;
}

// "8xh100-sxm5-80gb" or "8 x h100-sxm5-80gb": the number before the 'x', where that is one. Sets *name to
// what follows.
static bool read_count(Str *name, double *ret_gpus, Err *e) {
    size_t digits = 0;
    while (digits < name->length && name->data[digits] >= '0' && name->data[digits] <= '9') digits++;
    Str rest = str_trim((Str){name->data + digits, name->length - digits});
    if (digits == 0 || rest.length == 0 || (rest.data[0] != 'x' && rest.data[0] != 'X')) return true;
    int64_t gpus = 0;
    if (!parse_integer((Str){name->data, digits}, 1, (int64_t)option_table[OPT_FLEET].max, &gpus, e))
        return err_wrap(e, "number of GPUs");
    *ret_gpus = (double)gpus;
    *name = str_trim((Str){rest.data + 1, rest.length - 1});
    return true;
}

// "h100-sxm5-80gb@2.50", "8xh100-sxm5-80gb@2.50". A GPU whose own name starts like a number of others is
// meant itself.
static bool read_fleet_today(App *app, const Facts *f, const char *text, Ask *ask, Err *e) {
    Str rest = str_of(text);
    Str name;
    Err not_found = {0};
    str_next(&rest, '@', &name);
    if (rest.data == NULL)
        return err_set(e, ERR_USAGE, "'%s' has no '@' and price in it: [Nx]SKU@PRICE", text);
    if (!parse_number(str_trim(rest), 1e-6, 1e6, &ask->current_usd_gpu_h, e)) return err_wrap(e, "price");
    name = str_trim(name);
    if (find_gpu(app, f->gpus, f->n_gpus, arena_copy(&app->arena, name.data, name.length), &ask->current,
                 &not_found))
        return true;
    return read_count(&name, &ask->current_gpus, e) &&
           find_gpu(app, f->gpus, f->n_gpus, arena_copy(&app->arena, name.data, name.length), &ask->current,
                    e);
}

static bool read_current(App *app, const Facts *f, Ask *ask, Err *e) {
    const char *const *fleets = NULL;
    size_t n = opt_list(app, OPT_CURRENT, &fleets);
    ask->current_gpus = (double)NAN;
    if (n == 0) return true;
    if (n > 1)
        return err_set(e, ERR_USAGE, "option '--current': one fleet of one GPU can run today, not %zu", n);
    return read_fleet_today(app, f, fleets[0], ask, e) || err_wrap(e, "option '--current'");
}

// A stack that names an engine which serves on both vendors' GPUs keeps it.
static void keep_engine(const Facts *f, Ask *ask) {
    for (size_t i = 0; i < ask->stack->n_entries && ask->engines.n == 0 && serves_tokens(&ask->workload);
         i++) {
        bool runs[VENDOR_COUNT] = {false};
        const char *name = ask->stack->entries[i].name;
        for (size_t k = 0; k < f->n_engines; k++) {
            if (text_same(f->engines[k].engine, name) && f->engines[k].status <= SUPPORT_PARTIAL)
                runs[f->engines[k].vendor] = true;
        }
        for (size_t k = 0; k < f->n_engine_limits && runs[VENDOR_NVIDIA] && runs[VENDOR_AMD]; k++) {
            if (text_same(f->engine_limits[k].engine, name))
                ask->engines = (Names){{f->engine_limits[k].engine}, 1};
        }
    }
}

static bool read_decision(App *app, Catalog *catalog, const Facts *f, Ask *ask, Err *e) {
    for (OptionId id = 0; id < OPT_COUNT; id++) {
        const TermSpec *term = option_table[id].term;
        if (term != NULL) ask->terms[term - term_specs] = (Given){opt_set(app, id), opt_number(app, id, 0)};
    }
    ask->seed = (uint64_t)opt_integer(app, OPT_SEED, 0);
    if (!report_quotes(app, f, ask, e)) return false;
    ask->onprem = opt_flag(app, OPT_ONPREM) || ask->n_quotes > 0;
    if (!read_current(app, f, ask, e)) return false;
    if (!opt_set(app, OPT_STACK)) return true;
    Stack *stack = arena_alloc(&app->arena, 1, sizeof *stack);
    StackFacts *facts = arena_alloc(&app->arena, 1, sizeof *facts);
    if (!stack_read(app, opt_text(app, OPT_STACK, ""), stack, e) ||
        !catalog_stack(catalog, &app->arena, facts, e))
        return false;
    ask->stack = stack;
    ask->stack_facts = facts;
    keep_engine(f, ask);
    return true;
}

// Scans the code for the best AMD option's GPU; its requirements and constructs make a stack where none was
// given.
static bool scan_move(App *app, Catalog *catalog, const Advice *advice, Ask *ask, ScanAnswer *x, Err *e) {
    if (!opt_set(app, OPT_SOURCE)) return true;
    const Option *amd = advice->best[VENDOR_AMD];
    Move *m = arena_alloc(&app->arena, 1, sizeof *m);
    if (!scan_source(app, opt_text(app, OPT_SOURCE, ""), amd != NULL ? amd->gpu : NULL, x, e)) return false;
    *m = (Move){.source = x->options.root,
                .effort = &x->effort,
                .findings = x->by_class[ORIGIN_OWN],
                .not_analysed = x->result.n_notes,
                .scanned = true};
    ask->move = m;
    if (ask->stack != NULL) return true;
    Stack *stack = arena_alloc(&app->arena, 1, sizeof *stack);
    StackFacts *facts = arena_alloc(&app->arena, 1, sizeof *facts);
    if (!catalog_stack(catalog, &app->arena, facts, e)) return false;
    stack_guess(app, facts, x, stack);
    ask->stack = stack;
    ask->stack_facts = facts;
    return true;
}

static int answer(App *app, Catalog *catalog, const Facts *f, const VerdictGate *gate, Advice *advice) {
    int code = exit_code(app, gate, advice);
    warn_about(app, f, advice);
    print_advice(app, catalog, f, advice);
    return code;
}

static int run(App *app) {
    Err e = {0};
    Catalog *catalog = NULL;
    Facts f;
    Ask ask = {.region = ""};
    Advice advice;
    VerdictGate gate;
    const TrafficLoad *load = NULL;
    if (!verdict_gate_read(app, &gate, &e)) return app_fail(app, &e);
    if (!app_catalog(app, &catalog, &e) || !app_facts(app, &f, &e) || !report_prices(app, &f, &e) ||
        !runs_rates(catalog, &app->arena, &f, &e))
        return app_fail(app, &e);
    if (!only_with_source(app, &e) || !report_workload(app, &f, &ask, &e) ||
        !report_traffic(app, &f, &ask, &load, &e) || !report_changes(app, &f, &ask, &e) ||
        !report_filters(app, &f, &ask, &e) || !read_decision(app, catalog, &f, &ask, &e))
        return app_fail(app, &e);
    if (serves_tokens(&ask.workload) && ask.model != NULL &&
        !(catalog_published(catalog, ask.model->model_id, &app->arena, &f, &e) &&
          catalog_measured(catalog, &app->arena, &f, &e) &&
          catalog_api_prices(catalog, &app->arena, &f, &e) && app_know_own(app, catalog, ask.model, &f, &e)))
        return app_fail(app, &e);
    if (!advise_search(&f, &ask, &app->arena, &advice, &e)) return app_fail(app, &e);
    ScanAnswer *x = arena_alloc(&app->arena, 1, sizeof *x);
    bool ok = scan_move(app, catalog, &advice, &ask, x, &e) && advise_decide(&f, &app->arena, &advice, &e);
    if (ok) report_size(app, load, &advice);
    int code = ok ? answer(app, catalog, &f, &gate, &advice) : app_fail(app, &e);
    scan_free(&x->result);
    return code;
}

OPTIONS(OPT_WORKLOAD, OPT_MODEL, OPT_ASSUME_DENSE, OPT_ISL, OPT_OSL, OPT_TTFT, OPT_TPOT, OPT_RATE,
        OPT_CONCURRENCY, OPT_GPUS, OPT_FLEET, OPT_SITE_KW, OPT_GPU, OPT_EXCLUDE_GPU, OPT_VENDOR, OPT_ENGINE,
        OPT_WEIGHTS, OPT_KV, OPT_DRAFT_TOKENS, OPT_ACCEPTED_TOKENS, OPT_CACHED_PROMPT, OPT_POWER_CAP,
        OPT_SESSIONS, OPT_HOST_GB, OPT_MEMORY_FRACTION, OPT_SPOT, OPT_RESERVED, OPT_PROVIDER,
        OPT_EXCLUDE_PROVIDER, OPT_REGION, OPT_MAX_PRICE, OPT_PRICE, OPT_DISCOUNT, OPT_DUTY_CYCLE, OPT_MAX_AGE,
        OPT_TOP, OPT_PARETO, OPT_FAIL_OVER, OPT_FAIL_CHANGES, OPT_SEED, OPT_POWER_PRICE, OPT_PUE, OPT_ONPREM,
        OPT_GPU_PRICE, OPT_HOST_PRICE, OPT_AMORTISE, OPT_RESIDUAL, OPT_CAPITAL_RATE, OPT_CURRENT, OPT_STACK,
        OPT_SOURCE, OPT_ROCM, OPT_TEAM, OPT_TEST_COVERAGE, OPT_EXCLUDE, OPT_ENGINEER_DAY, OPT_HORIZON,
        OPT_DISCOUNT_RATE, OPT_TEAM_SIZE, OPT_MOVABLE, OPT_JOBS, OPT_API_OUTPUT, OPT_API_INPUT, OPT_TRAFFIC,
        OPT_START_MIN, OPT_BILLING_MIN, OPT_GROWTH, OPT_MAP, OPT_BLOCK_TOKENS);
static const Verb verbs[] = {{"", "[WORKLOAD|MODEL]", 0, 1, false, NULL, options, run},
                             {"diff", "A.json B.json", 2, 2, false,
                              "in what two answers (--json) differ, and what moved the verdict", NO_OPTIONS,
                              report_diff}};

COMMAND(report, "report", FORMATS_LISTING | 1u << FORMAT_HTML,
        .summary = "NVIDIA or AMD for a workload: verdict, best of each, costs",
        .description =
            "Needs a workload, or --model for one of your own. Searches every GPU that has an offer, "
            "in every layout, precision and engine that works, on whole rentable instances, and ranks "
            "by cost per million output tokens at the workload's load. `report diff` says in what two "
            "answers (--json) differ and which price, run or fact moved the verdict. Exit 3 when "
            "nothing meets what was asked or no winner can be named for want of facts, 4 when a gate "
            "failed, 6 when only prices older than --max-age are left.");
