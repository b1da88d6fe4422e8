// Is this plain on-demand? The one gate that every price passes, whichever feed or file it comes from.
//
// Sellers hide how a price is had in slugs ("gpu-mi350x1-288gb-spot"), flags ("gcp-dws-calendar-mode"),
// products ("NCads A100 v4 Series CloudServices"), meters and notes. The gate reads all such texts for the
// words of one table, as whole words. What it finds either is a pricing model, which the price then has, or a
// reason to turn the price away.
#ifndef GPUADVISE_CATALOG_MARKET_MARKET_GATE_H
#define GPUADVISE_CATALOG_MARKET_MARKET_GATE_H

#include <stdbool.h>

#include "src/base/base.h"
#include "src/facts/facts.h"

// What a text says of how a price is had.
typedef struct GateSaid {
    unsigned bits;     // of SAYS_...
    const char *turn;  // why such a price is never compared (a literal); NULL: it may be
} GateSaid;

enum {
    SAYS_PLAIN = 1,  // on-demand, or that there is no commitment
    SAYS_SPOT = 2,
    SAYS_TERM_1Y = 4,
    SAYS_TERM_3Y = 8,
    SAYS_TERM_OTHER = 16,
    SAYS_COMMITTED = 32  // reserved, by contract, for a commitment: how long is not said by this word
};

// Reads a text; NULL and "" say nothing. Words are runs of letters and digits; "CloudServices" and "cloud
// services" are the same two, and what follows "no", "non" or "without" is denied. '|' stands between texts
// that have nothing to do with each other.
GateSaid gate_read(const char *text);

// A sentence or a link may speak of spot prices and contracts without the price's being one: texts that
// nobody reads as names are taken at their word only where this is true. words_max: sellers describe a size
// in up to eight, people note in six.
bool gate_is_value(Str text, size_t words_max);

// What two texts of one price say together.
GateSaid gate_join(GateSaid a, GateSaid b);

// Does it say anything but on-demand?
bool gate_tells(GateSaid said);

// The model of a price whose source states `stated` and says `said` besides. NULL, or why the price is turned
// away.
const char *gate_model(GateSaid said, PricingModel stated, PricingModel *ret_model);

extern const char gate_other_term[], gate_no_term[];

#endif
