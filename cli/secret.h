// Secrets of feeds, each looked for once: in the environment, in a file, or from a command that prints it.
#ifndef GPUADVISE_SECRET_H
#define GPUADVISE_SECRET_H

#include "cli/cli.h"

typedef struct Secret {
    const char *name, *value;  // value "": not set
    Err why;                   // kind other than ERR_NONE: it is set and cannot be had
} Secret;

typedef struct Secrets {
    App *app;
    Secret *list;
    size_t n, capacity;
    bool closed;  // commands are run no more: others wait for what this process holds
} Secrets;

// The value of the variable `name`, of the first line of the file that NAME_FILE names, or of what
// NAME_COMMAND prints; "" where none is set.
bool secret_find(Secrets *s, const char *name, const char **ret_value, Err *e);

enum { SECRET_WORDS_MAX = 64 };

// The words of a credential command, which is started without a shell: split at blanks, NULL behind the last. False
// where there are none or more than SECRET_WORDS_MAX.
bool secret_words(const char *command, Arena *a, char *ret_words[SECRET_WORDS_MAX + 1]);
// The secret in a file or in what a command printed: its first line without the blanks around it. False where that is
// empty.
bool secret_first_line(Str text, Arena *a, const char **ret_value);

// Warns when everybody on this machine can read or write the file of a secret; `what` names it to the user.
void secret_file_warn(App *app, const char *what, const char *path);

#endif
