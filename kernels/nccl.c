// NCCL and RCCL: one process, all devices, calls of all in one group.
#include "kernels/nccl.h"

#include <string.h>

#include "kernels/dl.h"

#define ROW(field, symbol, args) {#symbol, offsetof(NcclTable, field), false},
#define RANK_ROW(field, symbol, args) {#symbol, offsetof(NcclTable, field), true},
static const DlSymbol symbols[] = {NCCL_FUNCTIONS(ROW) NCCL_RANK_FUNCTIONS(RANK_ROW)};

enum { FLOAT_32 = 7, SUM = 0 };

static bool good(const Nccl *l, const char *what, unsigned result, Err *e) {
    static const char *const words[] = {[1] = "the driver refused or failed",
                                        [2] = "the system refused: shared memory, network or permissions",
                                        [3] = "internal error",
                                        [4] = "invalid argument",
                                        [5] = "invalid usage",
                                        [6] = "another rank failed or is gone",
                                        [7] = "still in progress"};
    if (result == 0) return true;
    const char *text = result < COUNT_OF(words) ? words[result] : "an error that this program does not know";
    return err_set(e, ERR_FAILED, "%s: %s: result %u: %s", l->name, what, result, text);
}
#define CALL(l, field, symbol, ...) good((l), #symbol, (l)->f.field(__VA_ARGS__), e)

static const char *version_text(const Nccl *l, Arena *a) {
    enum { MAJOR_OLD = 1000, MAJOR = 10000, NEW_FROM = 20000 };  // 2.8 is 2804, 2.9 is 20900
    int v = 0;
    if (l->f.version(&v) != 0 || v <= 0) return "";
    if (v < NEW_FROM) return arena_printf(a, "%d.%d.%d", v / MAJOR_OLD, v % MAJOR_OLD / 100, v % 100);
    return arena_printf(a, "%d.%d.%d", v / MAJOR, v % MAJOR / 100, v % 100);
}

void nccl_open(GpuApi api, Arena *a, Nccl *ret_nccl) {
    static const char *const names[GPU_APIS][3] = {
        {"libnccl.so.2", "libnccl.so", NULL}, {"librccl.so.1", "librccl.so", "/opt/rocm/lib/librccl.so"}};
    Nccl l = {.missing = "", .version = ""};
    const char *tried = "";
    for (size_t i = 0; i < COUNT_OF(names[0]) && names[api][i] != NULL && l.name == NULL; i++) {
        Err why = {0};
        void *library = dl_open(names[api][i], &why);
        // stays open
        if (library != NULL && dl_fill(library, symbols, COUNT_OF(symbols), &l.f, &why))
            l.name = names[api][i];
        if (l.name == NULL) dl_close(library);
        tried = arena_printf(a, "%s%s%s", tried, tried[0] != '\0' ? ", " : "", names[api][i]);
    }
    if (l.name != NULL) l.version = version_text(&l, a);
    if (l.name == NULL)
        l.missing = arena_printf(a, "%s is not here (tried %s)", api == GPU_CUDA ? "NCCL" : "RCCL", tried);
    *ret_nccl = l;
}

bool nccl_join(Nccl *l, const int *devices, size_t n, Arena *a, Err *e) {
    if (l->comms != NULL) return true;
    NcclComm *comms = arena_alloc(a, n, sizeof *comms);
    if (!CALL(l, init_all, ncclCommInitAll, comms, (int)n, devices)) return false;
    l->comms = comms;
    l->n = n;
    return true;
}

bool nccl_all_reduce(const Nccl *l, const GpuPointer *from, const GpuPointer *to, size_t count,
                     const GpuStream *streams, Err *e) {
    if (!good(l, "ncclGroupStart", l->f.group_start(), e)) return false;
    bool ok = true;
    for (size_t i = 0; ok && i < l->n; i++) {
        ok = CALL(l, all_reduce, ncclAllReduce, gpu_address(from[i]), gpu_address(to[i]), count, FLOAT_32,
                  SUM, l->comms[i], streams[i]);
    }
    unsigned end = l->f.group_end();  // a group that was begun is ended, whatever failed in it
    return ok && good(l, "ncclGroupEnd", end, e);
}

// ---------------------------------------------------------------- over processes

static const char digits[] = "0123456789abcdef";

bool nccl_make_id(const Nccl *l, Arena *a, const char **ret_id, Err *e) {
    NcclId id;
    if (l->name == NULL) return err_set(e, ERR_FAILED, "%s", l->missing);
    if (l->f.unique_id == NULL || l->f.init_rank == NULL || l->f.send == NULL || l->f.receive == NULL)
        return err_set(e, ERR_FAILED, "%s is too old to join processes: 2.7 can", l->name);
    memset(&id, 0, sizeof id);
    if (!CALL(l, unique_id, ncclGetUniqueId, &id)) return false;
    unsigned char bytes[sizeof id];
    char *text = arena_alloc(a, NCCL_ID_TEXT + 1, 1);
    memcpy(bytes, &id, sizeof id);
    for (size_t i = 0; i < sizeof bytes; i++) {
        text[2 * i] = digits[bytes[i] >> 4];
        text[2 * i + 1] = digits[bytes[i] & 15];
    }
    *ret_id = text;
    return true;
}

static bool read_id(const char *text, NcclId *ret_id) {
    unsigned char bytes[sizeof(NcclId)];
    if (strlen(text) != NCCL_ID_TEXT || strspn(text, digits) != NCCL_ID_TEXT) return false;
    for (size_t i = 0; i < sizeof bytes; i++) {
        size_t high = (size_t)(strchr(digits, text[2 * i]) - digits),
               low = (size_t)(strchr(digits, text[2 * i + 1]) - digits);
        bytes[i] = (unsigned char)(high << 4 | low);
    }
    memcpy(ret_id, bytes, sizeof bytes);
    return true;
}

bool nccl_join_rank(Nccl *l, const char *text, size_t rank, size_t ranks, Arena *a, Err *e) {
    NcclId id;
    NcclComm *comm = arena_alloc(a, 1, sizeof *comm);
    if (l->comms != NULL) return err_set(e, ERR_FAILED, "request: joined already");
    if (l->f.init_rank == NULL || !read_id(text, &id))
        return err_set(e, ERR_FAILED, "request: no id to join by");
    if (!CALL(l, init_rank, ncclCommInitRank, comm, (int)ranks, id, (int)rank)) return false;
    l->comms = comm;
    l->n = 1;
    return true;
}

bool nccl_exchange(const Nccl *l, GpuPointer from, GpuPointer to, size_t count, size_t peer, GpuStream stream,
                   Err *e) {
    if (!good(l, "ncclGroupStart", l->f.group_start(), e)) return false;
    bool ok = CALL(l, send, ncclSend, gpu_address(from), count, FLOAT_32, (int)peer, l->comms[0], stream) &&
              CALL(l, receive, ncclRecv, gpu_address(to), count, FLOAT_32, (int)peer, l->comms[0], stream);
    unsigned end = l->f.group_end();
    return ok && good(l, "ncclGroupEnd", end, e);
}

bool nccl_is_well(const Nccl *l, Err *e) {
    for (size_t i = 0; i < l->n; i++) {
        NcclResult result = 0;
        if (!CALL(l, async_error, ncclCommGetAsyncError, l->comms[i], &result) ||
            !good(l, "a rank", result, e))
            return false;
    }
    return true;
}
