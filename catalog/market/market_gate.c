// Reads texts for the words that tell how a price is had, and says what becomes of such a price.
#include "catalog/market/market_gate.h"

#include <string.h>

#include "src/base/base.h"

enum { WORD_BYTES = 24, WORDS_JOINED = 3 };

const char gate_other_term[] = "a commitment of another term than 1 or 3 years";
const char gate_no_term[] = "reserved or by contract, for a term that is not stated";

static const char calendar[] = "capacity booked for a time of the calendar";
static const char cluster[] = "part of a cluster, which is sold as several machines";
static const char low_priority[] = "Low Priority price";
static const char block[] = "capacity block";
static const char edge[] = "an edge site or service, not the cloud's own region";
static const char host[] = "dedicated host";
static const char part[] = "a part of it is paid in advance, which the price leaves out";
static const char serverless[] = "serverless, billed by the second";
static const char service[] = "another service than virtual machines";

// Words, and several words written as one ("low priority" and "lowpriority" are the latter), by what they say.
static const struct {
    GateSaid said;
    const char *words;
} meanings[] = {
    {{SAYS_COMMITTED, NULL},
     "allupfront commit commitment commitments committed committeduse contract contracted "
     "contracts contractual cud longterm prepaid prepay prepayment reservation "
     "reservations reserve reserved reservedinstance reservedinstances savingsplan "
     "savingsplans upfront"},
    {{SAYS_TERM_1Y, NULL}, "annual annually oneyear p12m p1y twelvemonth twelvemonths yearly"},
    {{SAYS_SPOT, NULL},
     "auction backfill bid bidding evictable excesscapacity harvest interruptable "
     "interruptible opportunistic preempt preemptable preemptible preemptive reclaimable "
     "revocable sparecapacity spot spotcommunity spotinstance spotinstances spots spotvm "
     "transient"},
    {{0, calendar}, "calendar dws flexstart futurereservation"},
    {{0, block}, "capacityblock capacityblocks"},
    {{0, service}, "cloudservice cloudservices"},
    {{0, cluster}, "cluster clusters multinode superpod superpods"},
    {{0, host},
     "dedicatedhost dedicatedhosts dedicatedinstance dedicatedinstances dedicatedtenancy "
     "dedicatedtenant soletenancy soletenant"},
    {{0, "DevTest tariff"}, "devtest"},
    {{0, edge}, "edge edgezone edgezones outpost outposts wavelength"},
    {{SAYS_TERM_OTHER, NULL},
     "fiveyear fiveyears halfyearly monatlich monthly onemonth quarterly sixmonth "
     "sixmonths threemonth threemonths twoyear twoyears weekly"},
    {{0, serverless}, "flexworker flexworkers serverless"},
    {{0, part}, "halfupfront partialupfront"},
    {{SAYS_PLAIN, NULL}, "hourly ondemand payasyougo payg paygo standard uncommitted"},
    {{0, low_priority}, "lowprio lowpriority"},
    {{SAYS_TERM_3Y, NULL}, "p36m p3y thirtysixmonth thirtysixmonths threeyear threeyears"},
    {{0, "Windows"}, "windows"},
};

// ---------------------------------------------------------------- words

static bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

// The next word of the text in small letters; false at its end, or where '|' stands. One that is too long for
// the table is cut, and is none of its words.
static bool next_word(const char **at, char out[WORD_BYTES]) {
    const char *c = *at;
    size_t n = 0;
    while (*c != '\0' && *c != '|' && !char_is_letter(*c) && !char_is_digit(*c)) c++;
    for (; char_is_letter(*c) || char_is_digit(*c); c++) {
        bool hump = n > 0 && is_upper(*c) && c[-1] >= 'a' && c[-1] <= 'z';
        if (hump) break;
        if (n + 1 < WORD_BYTES) out[n++] = char_lower(*c);
    }
    out[n] = '\0';
    *at = c;
    return n > 0;
}

static const GateSaid *find(const char *word) {
    for (size_t i = 0; i < COUNT_OF(meanings) && char_is_letter(word[0]); i++) {
        if (word_in(meanings[i].words, word)) return &meanings[i].said;
    }
    return NULL;
}

// ---------------------------------------------------------------- terms

// "12", and "months" or "yr": what such a term is. 0: it is none.
static unsigned term(const char *digits, size_t n, const char *unit) {
    static const char months[] =
        "mo mos mon month months mth mths monat monate monaten mois mes meses mese mesi maand maanden";
    static const char years[] = "y yr yrs year years jahr jahre jahren ans anni anos jaar";
    static const char shorter[] = "day days week weeks wk wks tag tage tagen woche wochen";
    bool by_year = word_in(years, unit);
    bool short_term = word_in(shorter, unit);
    if (n == 0 || n > 2 || (!by_year && !short_term && !word_in(months, unit))) return 0;
    unsigned value = 0;
    for (size_t i = 0; i < n; i++) value = value * 10 + (unsigned)(digits[i] - '0');
    if (by_year) value *= 12;
    return value == 0    ? SAYS_PLAIN
           : short_term  ? SAYS_TERM_OTHER
           : value == 12 ? SAYS_TERM_1Y
           : value == 36 ? SAYS_TERM_3Y
                         : SAYS_TERM_OTHER;
}

// "12mo", "3yr": digits and a unit in one word.
static unsigned term_of(const char *word) {
    size_t digits = strspn(word, "0123456789");
    return word[digits] == '\0' ? 0 : term(word, digits, word + digits);
}

// ---------------------------------------------------------------- reading

GateSaid gate_join(GateSaid a, GateSaid b) {
    return (GateSaid){a.bits | b.bits, a.turn != NULL ? a.turn : b.turn};
}

// "reserved1y", "commit3yr", "spot2": a word of the table with a number behind it.
static GateSaid read_numbered(const char *word) {
    char head[WORD_BYTES];
    size_t letters = strcspn(word, "0123456789");
    if (letters == 0 || word[letters] == '\0') return (GateSaid){0};
    memcpy(head, word, letters);
    head[letters] = '\0';
    const GateSaid *said = find(head);
    const char *rest = word + letters;
    unsigned bits = term_of(rest);
    if (said == NULL || (bits == 0 && rest[strspn(rest, "0123456789")] != '\0')) return (GateSaid){0};
    return gate_join(*said, (GateSaid){bits, NULL});
}

// What begins at recent[0]: one word, or up to WORDS_JOINED that are written apart. ret_used: how many of
// them.
static GateSaid read_at(char recent[WORDS_JOINED][WORD_BYTES], size_t n, size_t *ret_used) {
    char joined[WORDS_JOINED * WORD_BYTES];
    size_t length = 0;
    GateSaid said = {0};
    *ret_used = 1;
    for (size_t i = 0; i < n; i++) {
        size_t more = strlen(recent[i]);
        memcpy(joined + length, recent[i], more + 1);
        length += more;
        const GateSaid *found = find(joined);
        if (found == NULL) continue;
        said = *found;  // the longest counts: "capacity block" before "capacity"
        *ret_used = i + 1;
    }
    if (said.bits != 0 || said.turn != NULL) return said;
    if (n > 1 && recent[0][strspn(recent[0], "0123456789")] == '\0')
        said.bits = term(recent[0], strlen(recent[0]), recent[1]);
    if (said.bits != 0) *ret_used = 2;
    if (said.bits == 0) said.bits = term_of(recent[0]);
    // a time that has passed
    if (said.bits != 0 && *ret_used < n && strcmp(recent[*ret_used], "ago") == 0) said.bits = 0;
    return said.bits != 0 ? said : read_numbered(recent[0]);
}

GateSaid gate_read(const char *text) {
    char recent[WORDS_JOINED][WORD_BYTES];
    GateSaid said = {0};
    size_t n = 0;
    bool denied = false;
    if (text == NULL) return said;
    for (;;) {
        while (n < WORDS_JOINED && next_word(&text, recent[n])) n++;
        if (n == 0 && *text == '\0') return said;
        if (n == 0) {  // what follows is another text
            denied = false;
            text++;
            continue;
        }
        size_t used = 1;
        GateSaid here = read_at(recent, n, &used);
        bool any = here.bits != 0 || here.turn != NULL;
        if (any) said = denied ? gate_join(said, (GateSaid){SAYS_PLAIN, NULL}) : gate_join(said, here);
        denied = word_in("no non not without zero", recent[0]);
        n -= used;
        memmove(recent, recent + used, n * sizeof recent[0]);
    }
}

bool gate_is_value(Str text, size_t words_max) {
    enum { VALUE_BYTES_MAX = 200 };
    size_t n = 1;
    if (text.length > VALUE_BYTES_MAX) return false;
    for (size_t i = 0; i + 1 < text.length; i++) {
        n += text.data[i] == ' ' && text.data[i + 1] != ' ';
        if (text.data[i] == '/' && text.data[i + 1] == '/' && i > 0 && text.data[i - 1] == ':') return false;
    }
    return n <= words_max;
}

bool gate_tells(GateSaid said) { return said.turn != NULL || (said.bits & ~(unsigned)SAYS_PLAIN) != 0; }

// ---------------------------------------------------------------- the verdict

// A model that is told must be the one that the source states, if it states any.
static const char *agree(PricingModel told, PricingModel stated, PricingModel *ret_model) {
    if (stated != PRICING_ON_DEMAND && stated != told)
        return "its words and its pricing model contradict each other";
    *ret_model = told;
    return NULL;
}

const char *gate_model(GateSaid said, PricingModel stated, PricingModel *ret_model) {
    const unsigned terms = SAYS_TERM_1Y | SAYS_TERM_3Y | SAYS_TERM_OTHER;
    unsigned term = said.bits & terms;
    bool bound = (said.bits & (terms | SAYS_COMMITTED)) != 0;
    if (said.turn != NULL) return said.turn;
    if ((said.bits & SAYS_SPOT) != 0 && bound) return "its words say both spot and a commitment";
    if ((said.bits & SAYS_SPOT) != 0) return agree(PRICING_SPOT, stated, ret_model);
    if (term == SAYS_TERM_1Y) return agree(PRICING_RESERVED_1Y, stated, ret_model);
    if (term == SAYS_TERM_3Y) return agree(PRICING_RESERVED_3Y, stated, ret_model);
    if (term != 0) return gate_other_term;
    if (bound && stated != PRICING_RESERVED_1Y && stated != PRICING_RESERVED_3Y) return gate_no_term;
    *ret_model = stated;
    return NULL;
}
