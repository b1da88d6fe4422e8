// Sessions of agents as the load of a search or of an estimate.
#ifndef GPUADVISE_ADVISE_SESSIONS_H
#define GPUADVISE_ADVISE_SESSIONS_H

#include "src/advise/advise.h"

// Is the load sessions at once? And of a replica: the number of them that gives most within the limits of the
// workload (0: none); what `sessions` on each of `replicas` do.
bool in_sessions(const Ask *ask);
double sessions_capacity(const Facts *facts, const Ask *ask, const Serving *s);
SessionPoint sessions_point(const Facts *facts, const Ask *ask, const Serving *s, double sessions,
                            double replicas, Routing routing);
// Do requests come on their own, with prompts of which a prefix cache finds a part? Then of a replica that runs
// so many: what it finds by the traffic's curve in the capacity that they leave. Replicas are not counted
// together: routing by caches finds more, random routing less.
bool in_reuse(const Ask *ask);
double reuse_share(const Facts *facts, const Ask *ask, const Serving *s, double running);
void find_session_curves(const Facts *facts, Arena *a, Advice *advice);
// What sessions say of an option, in a sentence: "its cliff lies at ...".
const char *session_words(const Option *o, Arena *a);

#endif
