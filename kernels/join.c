// Notes of ranks as JSON, and back from files that anybody may have left there.
#include "kernels/join.h"

#include <math.h>
#include <string.h>

void join_note_json(const JoinNote *n, Json *object) {
    json_add_text(object, "token", n->token);
    json_add_text(object, "host", n->host);
    json_add_text(object, "answer", n->answer);
    json_add_text(object, "state", n->state);
    json_add_text(object, "why", n->why);
    Json *pairs = json_add_array(object, "pairs");
    for (size_t i = 0; i < n->n_pairs; i++) {
        Json *one = json_add_object(pairs, NULL);
        json_add_integer(one, "a", (int64_t)n->pairs[i].a);
        json_add_integer(one, "b", (int64_t)n->pairs[i].b);
        json_add_number(one, "gb_s", n->pairs[i].gb_s);
    }
}

static bool read_word(const Json *object, const char *key, size_t most, Arena *a, const char **ret_text) {
    const char *text = json_text(json_get(object, key));
    if (text == NULL || strlen(text) > most) return false;
    *ret_text = text_clean(a, text);
    return true;
}

static bool read_rank(const Json *object, const char *key, size_t *ret_rank) {
    double x = json_number(json_get(object, key));
    if (!(x >= 0 && x < BENCH_RANKS_MAX && x == floor(x))) return false;
    *ret_rank = (size_t)x;
    return true;
}

bool join_note_read(const Json *object, Arena *a, JoinNote *ret_note) {
    enum { WORD_MAX = 256, WHY_MAX = 4096 };
    JoinNote n = {.pairs = arena_alloc(a, JOIN_PAIRS_MAX, sizeof *n.pairs)};
    bool ok = read_word(object, "token", JOIN_TOKEN_MAX, a, &n.token) && n.token[0] != '\0' &&
              read_word(object, "host", WORD_MAX, a, &n.host) &&
              read_word(object, "answer", JOIN_TOKEN_MAX, a, &n.answer) &&
              read_word(object, "state", WORD_MAX, a, &n.state) &&
              read_word(object, "why", WHY_MAX, a, &n.why);
    const Json *pairs = json_get(object, "pairs");
    if (!ok || !json_is_array(pairs)) return false;
    for (const Json *p = json_first(pairs); p != NULL; p = json_next(p)) {
        JoinPair x = {.gb_s = json_number(json_get(p, "gb_s"))};
        if (n.n_pairs == JOIN_PAIRS_MAX || !read_rank(p, "a", &x.a) || !read_rank(p, "b", &x.b)) return false;
        if (is_known(x.gb_s) && !(x.gb_s >= 1e-6 && x.gb_s <= 1e8)) return false;
        n.pairs[n.n_pairs++] = x;
    }
    *ret_note = n;
    return true;
}

void join_answer_json(const JoinAnswer *x, Json *object) {
    json_add_text(object, "name", x->name);
    json_add_text(object, "id", x->id);
    json_add_bool(object, "go", x->go);
    json_add_texts(object, "tokens", x->tokens, x->ranks);
}

bool join_answer_read(const Json *object, Arena *a, JoinAnswer *ret_answer) {
    enum { ID_MAX = 1024 };
    JoinAnswer x = {.go = json_truth(json_get(object, "go")) == 1};
    const Json *tokens = json_get(object, "tokens");
    size_t room = 0;
    if (!read_word(object, "name", JOIN_TOKEN_MAX, a, &x.name) || x.name[0] == '\0' ||
        !read_word(object, "id", ID_MAX, a, &x.id) || !json_is_array(tokens))
        return false;
    for (const Json *t = json_first(tokens); t != NULL; t = json_next(t)) {
        const char *text = json_text(t);
        if (text == NULL || strlen(text) > JOIN_TOKEN_MAX || x.ranks == BENCH_RANKS_MAX) return false;
        x.tokens = arena_grow(a, x.tokens, x.ranks, &room, sizeof *x.tokens);
        x.tokens[x.ranks++] = text_clean(a, text);
    }
    *ret_answer = x;
    return true;
}
