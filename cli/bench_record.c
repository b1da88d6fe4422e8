// `bench --record DIR`: each process of a job leaves one whole file in a folder that all share.
//
// The file is there from the start, as a stub that says who began; the answer takes its place at the end, in
// one step. A machine that dies in between leaves its stub.
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/bench.h"

enum { NAME_PART_MAX = 64, BOOT_SHOWN = 8, TRIES = 100 };

// What may stand in a file's name anywhere; a name that begins with a dot would be hidden.
static const char *file_word(App *app, const char *text, size_t most) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    size_t n = strlen(text);
    char *word = arena_copy(&app->arena, text, n < most ? n : most);
    for (char *c = word; *c != '\0'; c++) {
        if (strchr(plain, *c) == NULL || (c == word && *c == '.')) *c = '_';
    }
    return word[0] != '\0' ? word : "unknown";
}

// Machine, boot, rank, time and process: then only processes of two containers that call themselves alike
// can meet, and the file system decides who was first.
static const char *file_name(App *app, const char *folder, const BenchRun *run, int try) {
    const char *host = run->node[0] != '\0' ? run->node : run->host, *boot = run->boot_id;
    const char *rank = is_known(run->rank) ? arena_printf(&app->arena, "-rank%.0f", run->rank) : "";
    const char *again = try > 0 ? arena_printf(&app->arena, "-%d", try) : "";
    return arena_printf(&app->arena, "%s/%s-%s%s-%lld-%ld%s.json", folder,
                        file_word(app, host, NAME_PART_MAX), file_word(app, boot, BOOT_SHOWN), rank,
                        (long long)app->now, (long)getpid(), again);
}

static bool take_name(App *app, const char *folder, const BenchRun *run, const char **ret_path, Err *e) {
    for (int i = 0; i < TRIES; i++) {
        const char *path = file_name(app, folder, run, i);
        int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
        if (fd >= 0) {
            close(fd);
            *ret_path = path;
            return true;
        }
        if (errno != EEXIST) return err_set(e, ERR_FAILED, "write '%s': %s", path, strerror(errno));
    }
    return err_set(e, ERR_FAILED, "write into '%s': %d files of this name are there already", folder, TRIES);
}

static bool write_run(App *app, const char *path, const BenchRun *run, const char *note, Err *e) {
    Buf text;
    buf_init(&text, BUF_LIMIT);
    bench_answer_print(app, run, note, &text);
    bool ok = file_write(path, text.data, text.length, e);
    buf_free(&text);
    return ok;
}

bool bench_record_begin(App *app, BenchRun *run, const char **ret_path, Err *e) {
    const char *folder = opt_text(app, OPT_RECORD, "");
    BenchRun stub = *run;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return err_set(e, ERR_FAILED, "make the folder '%s': %s", folder, strerror(errno));
    if (!take_name(app, folder, run, ret_path, e)) return false;
    stub.record = BENCH_STARTED;
    stub.complete = false;
    run->record = BENCH_FINISHED;
    return write_run(app, *ret_path, &stub, "", e);
}

bool bench_record_end(App *app, const char *path, const BenchRun *run, const char *note, Err *e) {
    if (!write_run(app, path, run, note, e)) return false;
    size_t verified = 0;
    for (size_t i = 0; i < run->n_results; i++) verified += run->results[i].verified;
    // A table from each of many processes would be read by nobody.
    if (app->format == FORMAT_TABLE) {
        app_line(app, 0, "%s%s: %zu of %s verified; recorded in '%s'.",
                 run->node[0] != '\0' ? run->node : run->host,
                 is_known(run->rank) ? arena_printf(&app->arena, ", rank %.0f", run->rank) : "", verified,
                 counted(&app->arena, run->n_results, "test"), path);
    } else {
        bench_answer(app, run, note);
    }
    return true;
}
