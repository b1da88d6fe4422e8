// `gpuadvise check`: public claims held against what the GPUs can do at most.
#include <math.h>
#include <string.h>

#include "cli/cmd.h"
#include "src/report/claims.h"

enum { FILE_BYTES_MAX = 16 * 1024 * 1024 };

typedef struct World {
    Facts facts;
    const Claim *support;
    size_t n_support;
    const Measurement *measured;
    size_t n_measured;
    const HealthyGpu *healthy;
    size_t n_healthy;
    const PortingFacts *porting;
} World;

// GPUs and model by the names that stand in the claim.
static bool resolve(App *app, const World *w, const PublicClaim *c, ClaimAsk *ret_ask, Err *e) {
    ClaimAsk ask = {.row = c,
                    .support = w->support,
                    .n_support = w->n_support,
                    .measured = w->measured,
                    .n_measured = w->n_measured,
                    .healthy = w->healthy,
                    .n_healthy = w->n_healthy,
                    .porting = w->porting};
    if (c->gpu[0] != '\0' && !find_gpu(app, w->facts.gpus, w->facts.n_gpus, c->gpu, &ask.gpu, e))
        return false;
    if (c->against_gpu[0] != '\0' &&
        !find_gpu(app, w->facts.gpus, w->facts.n_gpus, c->against_gpu, &ask.against, e))
        return false;
    if (c->model[0] != '\0' && !app_model(app, &w->facts, c->model, &ask.model, e)) return false;
    *ret_ask = ask;
    return true;
}

static bool judge(App *app, const World *w, const PublicClaim *c, ClaimAnswer *ret_answer, Err *e) {
    ClaimAsk ask;
    return resolve(app, w, c, &ask, e) && claim_check(&w->facts, &ask, &app->arena, ret_answer, e);
}

// ---------------------------------------------------------------- one claim, by options

static bool claim_of_options(App *app, PublicClaim *ret_claim, Err *e) {
    static const OptionId needed[] = {OPT_MODEL, OPT_GPU, OPT_TOKENS_S};
    bool priced = opt_set(app, OPT_USD_HOUR) || opt_set(app, OPT_USD_MTOK);
    if (!app_needs(app, needed, priced ? 2 : COUNT_OF(needed), " (or give '--file' or '--claims')", e))
        return false;
    if (opt_set(app, OPT_USD_MTOK) && !opt_set(app, OPT_USD_HOUR))
        return err_set(e, ERR_USAGE, "option '--usd-per-mtok' says nothing without '--usd-per-hour'");
    bool money = opt_set(app, OPT_USD_HOUR) && opt_set(app, OPT_USD_MTOK);
    if (!opt_set(app, OPT_TOKENS_S) && !money)
        return err_set(e, ERR_USAGE,
                       "option '--tokens-per-s' is missing (or both '--usd-per-hour' and '--usd-per-mtok')");
    double unknown = (double)NAN;
    PublicClaim c = claim_blank();
    c.kind = CLAIM_SERVING;
    c.model = opt_text(app, OPT_MODEL, "");
    c.gpu = opt_text(app, OPT_GPU, "");
    c.gpus = opt_number(app, OPT_GPUS, unknown);
    c.weights = opt_dtype(app, OPT_WEIGHTS);
    c.batch = opt_number(app, OPT_BATCH, unknown);
    c.isl_tokens = opt_number(app, OPT_ISL, unknown);
    c.osl_tokens = opt_number(app, OPT_OSL, unknown);
    c.tokens_per_s = opt_number(app, OPT_TOKENS_S, unknown);
    c.usd_per_hour = opt_number(app, OPT_USD_HOUR, unknown);
    c.usd_per_mtok = opt_number(app, OPT_USD_MTOK, unknown);
    *ret_claim = c;
    return true;
}

// A model that the catalog holds is what it is, whatever is to be assumed of files.
static bool uses_model_file(App *app, const World *w, const PublicClaim *c, Err *e) {
    const Model *m = NULL;
    if (!opt_typed(app, OPT_ASSUME_DENSE)) return true;
    if (!app_model(app, &w->facts, c->model, &m, e)) return false;
    for (size_t i = 0; i < w->facts.n_models; i++) {
        if (m == &w->facts.models[i])
            return err_set(e, ERR_USAGE,
                           "option '--assume-dense' is for a model file, and '%s' is in the catalog",
                           m->model_id);
    }
    return true;
}

static int check_one(App *app, const World *w) {
    Err e = {0};
    PublicClaim claim;
    JudgedClaim judged = {.claim = &claim};
    if (!claim_of_options(app, &claim, &e) || !uses_model_file(app, w, &claim, &e) ||
        !judge(app, w, &claim, &judged.answer, &e))
        return app_fail(app, &e);
    if (app->format == FORMAT_JSON) {
        Json *root = app_json(app);
        claim_json(&judged.answer, root);
    } else if (app->format == FORMAT_TABLE) {
        claim_text(&judged.answer, app_width(app), &app->out);
    } else {
        claims_text(&judged, 1, app->format, app_room(app), &app->arena, &app->out);
    }
    return EXIT_DONE;
}

// ---------------------------------------------------------------- a table of claims

static int check_many(App *app, const World *w, const PublicClaim *claims, size_t n) {
    Err e = {0};
    JudgedClaim *judged = arena_alloc(&app->arena, n + 1, sizeof *judged);
    for (size_t i = 0; i < n; i++) {
        judged[i].claim = &claims[i];
        if (judge(app, w, &claims[i], &judged[i].answer, &e)) continue;
        err_wrap(&e, "claim '%.60s'", claims[i].claim);
        return app_fail(app, &e);
    }
    if (app->format == FORMAT_JSON) {
        Json *root = app_json(app);
        claims_json(judged, n, root);
    } else {
        claims_text(judged, n, app->format, app_room(app), &app->arena, &app->out);
    }
    return EXIT_DONE;
}

static bool only_one_way(const App *app, Err *e) {
    static const OptionId single[] = {OPT_MODEL, OPT_GPU, OPT_GPUS,     OPT_WEIGHTS,  OPT_BATCH,
                                      OPT_ISL,   OPT_OSL, OPT_TOKENS_S, OPT_USD_HOUR, OPT_USD_MTOK};
    const char *table = opt_set(app, OPT_FILE) ? "file" : "claims";
    if (opt_flag(app, OPT_CLAIMS) && opt_typed(app, OPT_ASSUME_DENSE))
        return err_set(e, ERR_USAGE, "option '--assume-dense' is for a model file: '--claims' names none");
    if (opt_set(app, OPT_FILE) && opt_flag(app, OPT_CLAIMS))
        return err_set(e, ERR_USAGE, "options '--file' and '--claims' exclude each other");
    for (size_t i = 0; i < COUNT_OF(single); i++) {
        if (opt_typed(app, single[i]))
            return err_set(e, ERR_USAGE, "option '--%s' is for one claim: '--%s' brings its own",
                           option_table[single[i]].name, table);
    }
    return true;
}

// What only some kinds of claims need: known-good readings, and the tables of a port.
static bool load_rest(App *app, Catalog *catalog, const PublicClaim *claims, size_t n, World *w, Err *e) {
    bool ratios = false, statements = false;
    for (size_t i = 0; i < n; i++) {
        ratios = ratios || claims[i].kind == CLAIM_RATIO;
        statements = statements || claims[i].kind == CLAIM_STATEMENT;
    }
    PortingFacts *porting = arena_alloc(&app->arena, 1, sizeof *porting);
    if (ratios && !catalog_healthy(catalog, &app->arena, &w->healthy, &w->n_healthy, e)) return false;
    if (statements && !catalog_porting(catalog, &app->arena, porting, e)) return false;
    w->porting = statements ? porting : NULL;
    return true;
}

static int run(App *app) {
    Err e = {0};
    Catalog *catalog = NULL;
    World w = {0};
    void *support = NULL, *measured = NULL;
    const PublicClaim *claims = NULL;
    size_t n = 0;
    if (!app_catalog(app, &catalog, &e) || !catalog_facts(catalog, &app->arena, &w.facts, &e) ||
        !catalog_rows(catalog, TABLE_SUPPORT, &app->arena, &support, &w.n_support, &e))
        return app_fail(app, &e);
    if (!catalog_rows(catalog, TABLE_MEASUREMENTS, &app->arena, &measured, &w.n_measured, &e))
        return app_fail(app, &e);
    w.support = support;
    w.measured = measured;
    if (!opt_set(app, OPT_FILE) && !opt_flag(app, OPT_CLAIMS)) return check_one(app, &w);
    if (!only_one_way(app, &e)) return app_fail(app, &e);
    bool read = opt_set(app, OPT_FILE) ? catalog_claims_file(opt_text(app, OPT_FILE, ""), FILE_BYTES_MAX,
                                                             &app->arena, &claims, &n, &e)
                                       : catalog_claims(catalog, &app->arena, &claims, &n, &e);
    return read && load_rest(app, catalog, claims, n, &w, &e) ? check_many(app, &w, claims, n)
                                                              : app_fail(app, &e);
}

OPTIONS(OPT_MODEL, OPT_ASSUME_DENSE, OPT_GPU, OPT_GPUS, OPT_WEIGHTS, OPT_BATCH, OPT_ISL, OPT_OSL,
        OPT_TOKENS_S, OPT_USD_HOUR, OPT_USD_MTOK, OPT_FILE, OPT_CLAIMS);
static const Verb verbs[] = {{"", "[MODEL [GPU]]", 0, 2, false, NULL, options, run}};

COMMAND(check, "check", FORMATS_LISTING,
        .summary = "is a public claim possible: plausible, only when, or impossible",
        .description = "Needs a model, a GPU and --tokens-per-s (or both prices). Holds the claim against "
                       "dense datasheet peaks and memory bandwidth; what it does not state is taken as it "
                       "suits the claim: the best batch that fits, the cheapest lengths, one GPU. Says how "
                       "far the claim lies over the best that was measured in public of that GPU and model, "
                       "and over what `estimate` gives. --file judges a table (docs/claims.md), --claims the "
                       "public claims that ship with the program. Exit 0 whatever the verdict.");
