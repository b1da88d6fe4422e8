// Statements that no arithmetic settles, beside what the catalog can count of them.
#include <math.h>
#include <string.h>

#include "src/advise/check_parts.h"

// What `subject` of a statement may say.
static const char *const claim_count_names[] = {"cuda-names", "libraries", "ports", NULL};

static const char *percent(Judge *j, double share) {
    return arena_printf(j->arena, "%s %%", judge_number(j, 100 * share, 3));
}

// "80 %", "80 to 90 %" or "3 to 6 months" as far as the statement has a number.
static const char *claimed_words(Judge *j, bool share) {
    const PublicClaim *c = j->row;
    double scale = share ? 100 : 1;
    const char *unit = share ? "%" : "months";
    bool one = !(c->claimed_low < c->claimed_high);  // equal, or one of them is open
    double x = is_known(c->claimed_low) ? c->claimed_low : c->claimed_high;
    return one ? arena_printf(j->arena, "%s %s", judge_number(j, scale * x, 3), unit)
               : arena_printf(j->arena, "%s to %s %s", judge_number(j, scale * c->claimed_low, 3),
                              judge_number(j, scale * c->claimed_high, 3), unit);
}

static void set_count(Judge *j, const char *name, size_t part, size_t all) {
    j->answer.count = (ClaimCount){.name = name,
                                   .part = (double)part,
                                   .all = (double)all,
                                   .share = all > 0 ? (double)part / (double)all : (double)NAN};
}

static bool has_share(const Judge *j, Err *e) {
    const PublicClaim *c = j->row;
    bool fits = !(c->claimed_low > 1) && !(c->claimed_high > 1) &&
                (is_known(c->claimed_low) || is_known(c->claimed_high));
    return fits ||
           err_set(e, ERR_USAGE,
                   "a statement about '%s' states a share between 0 and 1 (claimed_low, claimed_high)",
                   c->subject);
}

// ---------------------------------------------------------------- counts

// Names of CUDA that HIP has under some name: all of them, and the functions that code calls.
static bool count_names(Judge *j, Err *e) {
    const PortingFacts *f = j->ask->porting;
    size_t known = 0, functions = 0, known_functions = 0;
    if (!has_share(j, e)) return false;
    for (size_t i = 0; i < f->n_names; i++) {
        const CudaName *name = &f->names[i];
        bool has = name->hip_name[0] != '\0' && name->hip_removed[0] == '\0';
        bool called = strcmp(name->kind, "function") == 0 || strcmp(name->kind, "device-function") == 0;
        known += has;
        functions += called;
        known_functions += called && has;
    }
    set_count(j, claim_count_names[0], known, f->n_names);
    j->answer.arithmetic =
        arena_printf(j->arena,
                     "of %s names of CUDA and its libraries in the catalog %s have one in HIP (%s), of the "
                     "%s functions among them %s (%s); %s claimed",
                     judge_number(j, (double)f->n_names, 6), judge_number(j, (double)known, 6),
                     percent(j, j->answer.count.share), judge_number(j, (double)functions, 6),
                     judge_number(j, (double)known_functions, 6),
                     percent(j, (double)known_functions / (double)functions), claimed_words(j, true));
    judge_condition(j, "only of code whose lines are so: a share of names counts each name once, used or "
                       "not, and says nothing of how often code uses it, of lines, or of work; `gpuadvise "
                       "migrate scan` counts what it takes in your tree");
    return true;
}

static bool count_libraries(Judge *j, Err *e) {
    const PortingFacts *f = j->ask->porting;
    size_t some = 0, same = 0;
    if (!has_share(j, e)) return false;
    for (size_t i = 0; i < f->n_libraries; i++) {
        const Library *l = &f->libraries[i];
        some += l->rocm_name[0] != '\0' && strcmp(l->coverage, "none") != 0;
        same += strcmp(l->coverage, "drop-in") == 0 || strcmp(l->coverage, "api-compatible") == 0;
    }
    set_count(j, claim_count_names[1], some, f->n_libraries);
    j->answer.arithmetic =
        arena_printf(j->arena,
                     "of %zu libraries and tools of CUDA in the catalog %zu have a counterpart on ROCm (%s), "
                     "%zu of them with the same interface; %s claimed",
                     f->n_libraries, some, percent(j, j->answer.count.share), same, claimed_words(j, true));
    judge_condition(j, "only by a list that is not given: no source is known that counts the libraries of "
                       "either side, and the catalog holds those that code asks for");
    return true;
}

static bool count_ports(Judge *j, Err *e) {
    const PublicClaim *c = j->row;
    const PortingFacts *f = j->ask->porting;
    double days = constant_of(j->facts, CONSTANT_WORKING_DAYS_MONTH);
    size_t n = 0, within = 0, below = 0;
    double least = (double)INFINITY, most = 0;
    if (!is_known(c->claimed_low) && !is_known(c->claimed_high))
        return err_set(e, ERR_USAGE,
                       "a statement about 'ports' states months of work (claimed_low, claimed_high)");
    for (size_t i = 0; i < f->n_ports; i++) {
        const Port *p = &f->ports[i];
        double months = p->author_days / days;
        if (!is_known(months) || p->scope == SCOPE_UPKEEP || strcmp(p->squashed, "no") != 0) continue;
        n++;
        within += !(months < c->claimed_low) && !(months > c->claimed_high);
        below += months < c->claimed_low;
        least = fmin(least, months), most = fmax(most, months);
    }
    set_count(j, claim_count_names[2], within, n);
    j->answer.arithmetic =
        n == 0 ? "no port with known author-days is in the catalog"
               : arena_printf(
                     j->arena,
                     "of %s with known author-days (`gpuadvise migrate ports`) %zu took %s of work, %zu "
                     "less, %zu more; all between %s and %s months of one person (%s working days a month)",
                     counted(j->arena, n, "documented port"), within, claimed_words(j, false), below,
                     n - within - below, judge_number(j, least, 2), judge_number(j, most, 2),
                     judge_number(j, days, 3));
    judge_condition(j, "only for code of such a size: the days depend on what is ported, and one person's "
                       "are not calendar time; `gpuadvise migrate scan` gives a range for yours");
    return true;
}

bool judge_statement(Judge *j, Err *e) {
    static bool (*const counts[])(Judge *, Err *) = {count_names, count_libraries, count_ports};
    const PublicClaim *c = j->row;
    int k = name_index(claim_count_names, c->subject);
    if (c->subject[0] != '\0' && k < 0)
        return err_set(e, ERR_USAGE,
                       "nothing that the program counts is called '%.60s': the subject of a statement is "
                       "cuda-names, libraries, ports or empty",
                       c->subject);
    if (c->claimed_low > c->claimed_high) return err_set(e, ERR_USAGE, "claimed_low is over claimed_high");
    j->answer.bound_by = "evidence";
    j->answer.verdict = CLAIM_CONDITIONAL;
    j->answer.unit = k < 0 ? "" : k == 2 ? "months" : "share";
    bool one = is_known(c->claimed_low) && !(c->claimed_low < c->claimed_high);
    j->answer.claimed = one ? c->claimed_low : (double)NAN;
    if (k >= 0 && j->ask->porting != NULL) return counts[k](j, e);
    j->answer.arithmetic = "the program has nothing to count this by";
    judge_condition(j, "only on the word of whoever says so: no source with a count is known to the catalog");
    return true;
}
