// Which test of a group asks for what.
#include "kernels/peer.h"

bool bench_peer(PeerGroup *p, const BenchRequest *r, Arena *a, BenchResult *ret_result, Err *e) {
    const GroupTest *t = test_group(r->test);
    if (t == NULL) return err_set(e, ERR_FAILED, "request: a group of GPUs has no such test");
    if (p->ranks > p->n && t->of_pair) return bench_rank_pair(p, r, a, ret_result, e);
    return t->of_pair ? bench_peer_copy(p, r, a, ret_result, e) : bench_reduce(p, r, a, ret_result, e);
}
