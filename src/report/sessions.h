// Inside of src/report: KV capacity and sessions of agents, in words, tables and JSON.
#ifndef GPUADVISE_REPORT_SESSIONS_H
#define GPUADVISE_REPORT_SESSIONS_H

#include "src/report/page.h"

// "kv_capacity": tokens of `replicas` together, with range; null where memory is not known.
void kv_json(const KvCapacity *kv, const Serving *s, int replicas, Json *parent);
// "sessions": what `sessions` on so many replicas find; null where they are not the load (0).
void session_json(const SessionPoint *p, double sessions, int replicas, double random_tokens_s, Json *parent);
// "session_curve": of the best of each vendor; null where sessions are not the load.
void session_curves_json(const Advice *advice, Json *root);

// "3.65 M tokens"; "94.9 % of input (95.5 % with an endless cache)".
const char *kv_words(const KvCapacity *kv, int replicas, Arena *a);
const char *hit_words(const SessionPoint *p, Arena *a);
const char *cliff_words(const SessionPoint *p, double sessions, int replicas, Arena *a);

// What caches make of the load: a table against the number of sessions, and where each best one's cliff lies.
void sessions_text(Page *p);
// Two figures of the page: tokens/s and cost against sessions. Their data is added to `figures`.
void sessions_html(const Advice *advice, Json *figures, Arena *a, Buf *out);
void session_listing(const Advice *advice, Arena *a, Listing *ret_listing);

#endif
