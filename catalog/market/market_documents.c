// The documents that a feed was made of when it was taken in last.
#include <string.h>

#include "catalog/market/market_store.h"

bool market_documents(Market *m, const char *feed, Arena *a, MarketKnown **ret_documents, size_t *ret_n,
                      Err *e) {
    Stmt *s = NULL;
    MarketKnown *list = NULL;
    size_t n = 0, capacity = 0;
    bool ok = stmt_query(m->db, "market_documents", &s, e) && stmt_bind_text(s, "feed", feed, e) &&
              stmt_bind_integer(s, "reader", m->reader, e);
    while (stmt_next(s, &ok, e)) {
        list = arena_grow(a, list, n, &capacity, sizeof *list);
        const char *texts[3] = {"", "", ""};
        for (size_t i = 0; i < COUNT_OF(texts); i++)
            texts[i] = arena_copy(a, stmt_text(s, i), strlen(stmt_text(s, i)));
        list[n++] = (MarketKnown){texts[0], texts[1], texts[2]};
    }
    stmt_free(s);
    if (!ok) return err_wrap(e, "documents of '%s'", feed);
    *ret_documents = list;
    *ret_n = n;
    return true;
}
