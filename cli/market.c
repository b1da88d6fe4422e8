// The market as the options name it, and what came of rows that were taken in.
#include <string.h>

#include "cli/prices.h"

bool app_market(App *app, Market **ret_market, Err *e) {
    Catalog *c = NULL;
    Market *m = NULL;
    const char *currency = NULL;
    const char *date = NULL;
    double usd = 0;
    if (!app_catalog(app, &c, e) || !market_open(c, app->now, &m, e)) return false;
    for (size_t i = 0; opt_rate(app, OPT_CURRENCY_RATE, i, &currency, &usd, &date, &app->arena); i++) {
        int64_t days = 0;
        // Coarse dates mean their last day; a day's grace for time zones.
        if (strlen(date) >= 10 && parse_date(str_of(date), &days, e) && days > app->now / DAY_S + 1) {
            market_close(m);
            return err_set(e, ERR_USAGE,
                           "option '--usd-per': the rate of %s is dated %s, which is yet to come", currency,
                           date);
        }
        market_rate(m, currency, usd, date);
    }
    *ret_market = m;
    return true;
}

// [{reason, count, example}] under `key`.
static void rejects_json(Json *parent, const char *key, const MarketReject *list, size_t n) {
    Json *array = json_add_array(parent, key);
    for (size_t i = 0; i < n; i++) {
        Json *j = json_add_object(array, NULL);
        json_add(j, J_TEXT("reason", list[i].reason), J_INTEGER("count", list[i].count),
                 J_TEXT_OR_NULL("example", list[i].example));
    }
}

Json *outcome_json(Json *list, const char *name, const char *status, const MarketOutcome *o) {
    Json *j = json_add_object(list, NULL);
    json_add(j, J_TEXT("name", name), J_TEXT("status", status), J_INTEGER("rows", o->rows),
             J_INTEGER("new", o->fresh), J_INTEGER("unchanged", o->unchanged), J_INTEGER("gone", o->gone),
             J_INTEGER("unmapped", o->unmapped));
    rejects_json(j, "rejected", o->rejects, o->n_rejects);
    rejects_json(j, "quarantined", o->quarantines, o->n_quarantines);
    return j;
}
