// How old each kind of fact may get before somebody should look again (docs/refreshing.md).
#include <math.h>
#include <string.h>

#include "cli/cli.h"

static const struct {
    const char *name, *tables;  // tables separated by blanks
    double limit_days;
} kinds[DATA_KINDS] = {
    {"prices", "offers offer_seen", 30},
    {"support", "support libraries packages engines engine_precisions", 90},
    {"models", "models checkpoints block_checkpoints", 120},
};

double app_age_days(const App *app, const char *date) {
    int64_t day = 0;
    if (!parse_date(str_of(date), &day, NULL) || date_is_ahead(date, app->now / DAY_S)) return (double)NAN;
    int64_t age = app->now / DAY_S - day;
    return age > 0 ? (double)age : 0;
}

void kinds_of(const App *app, const DataAge *ages, size_t n, KindAge ret[DATA_KINDS]) {
    for (size_t k = 0; k < DATA_KINDS; k++) {
        KindAge *x = &ret[k];
        *x = (KindAge){kinds[k].name, "", (double)NAN, kinds[k].limit_days, false};
        for (size_t i = 0; i < n; i++) {
            double age = app_age_days(app, ages[i].newest);
            if (!word_in(kinds[k].tables, ages[i].table) || !is_known(age) || age >= x->age_days) continue;
            x->newest = ages[i].newest, x->age_days = age;
        }
        x->overdue = is_known(x->age_days) && x->age_days > x->limit_days;
    }
}

void kinds_json(const KindAge kind[DATA_KINDS], Json *root) {
    Json *list = json_add_array(root, "kinds");
    for (size_t k = 0; k < DATA_KINDS; k++) {
        Json *j = json_add_object(list, NULL);
        json_add(j, J_TEXT("kind", kind[k].kind), J_TEXT_OR_NULL("newest", kind[k].newest),
                 J_NUMBER("age_days", kind[k].age_days), J_NUMBER("limit_days", kind[k].limit_days),
                 J_BOOL("overdue", kind[k].overdue));
    }
}

const char *kinds_text(const KindAge kind[DATA_KINDS], Arena *a) {
    const char *text = "";
    for (size_t k = 0; k < DATA_KINDS; k++) {
        if (!kind[k].overdue) continue;
        text = arena_printf(a, "%s%s%s (newest %s: %.0f days, at most %.0f wanted)", text,
                            text[0] != '\0' ? ", " : "", kind[k].kind, kind[k].newest, kind[k].age_days,
                            kind[k].limit_days);
    }
    return text[0] == '\0'
               ? "prices, support and models are as new as they should be"
               : arena_printf(a, "older than they should be: %s; docs/refreshing.md says how each is renewed",
                              text);
}
