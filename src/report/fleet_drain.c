// Nodes to take out of use, as lines for a shell. Names and reasons come from files that anybody may have
// written: what is no host's name is never a command's argument, and reasons stand in quotes.
#include <string.h>

#include "src/report/fleet_report.h"

// Kubernetes' names are lower-case, without '_'.
static bool is_name(const char *name, Format format) {
    if (!fleet_is_host(name)) return false;
    return format != FORMAT_K8S || name[strcspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_")] == '\0';
}

// Why a node that is not good stays in use; NULL: it goes.
static const char *spared(const FleetNode *n, Format format) {
    if (n->state == FLEET_MIXED) return "differs, and works";
    if (n->state == FLEET_UNREADABLE) return "whose file it is is not known";
    if (!is_name(n->name, format)) return "no name of a host";
    if (format == FORMAT_K8S && strcmp(n->launcher, "kubernetes") == 0 && !n->scheduled)
        return "the name of a pod: NODE_NAME was not set in it";
    return n->state == FLEET_MISSING && !n->scheduled ? "which machine it was is not known" : NULL;
}

static void one_line(const FleetNode *n, Format format, Arena *a, Buf *out) {
    enum { REASON_MAX = 200 };
    const char *state = fleet_state_names[n->state], *kept = spared(n, format);
    Buf clean;
    buf_init(&clean, BUF_LIMIT);
    buf_add_clean(&clean, arena_printf(a, "gpuadvise: %s: %s", state, fleet_why(n, a)));
    size_t length = clean.length < REASON_MAX ? clean.length : REASON_MAX;
    while (length < clean.length && ((unsigned char)clean.data[length] & 0xC0) == 0x80) length--;
    const char *reason = arena_copy(a, clean.data, length);
    buf_free(&clean);
    if (kept != NULL) {
        buf_printf(out, "# not drained: ");
        buf_add_clean(out, arena_printf(a, "%s (%s): %s", n->name, kept, reason));
        buf_puts(out, "\n");
    } else if (format == FORMAT_SLURM) {
        buf_printf(out, "scontrol update NodeName=%s State=DRAIN Reason=%s\n", text_shell_word(a, n->name),
                   text_shell_word(a, reason));
    } else {
        const char *name = text_shell_word(a, n->name);
        buf_printf(out, "kubectl cordon %s\n", name);
        buf_printf(out, "kubectl taint nodes %s gpuadvise/fleet=%s:NoSchedule --overwrite\n", name, state);
        buf_printf(out, "kubectl annotate node %s gpuadvise/reason=%s --overwrite\n", name,
                   text_shell_word(a, reason));
    }
}

void fleet_drain(const Fleet *f, Format format, Arena *a, Buf *out) {
    buf_printf(out, "# %s\n", fleet_summary(f, a));
    if (f->slow_as_a_whole)
        buf_puts(
            out,
            "# A median of the fleet is below what known-good devices reach: no drain list tells that.\n");
    for (size_t i = 0; i < f->n_nodes; i++) {
        if (f->by_state[i]->state != FLEET_GOOD) one_line(f->by_state[i], format, a, out);
    }
}
