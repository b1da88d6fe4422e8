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

// Warns when everybody on this machine can read or write the file of a secret; `what` names it to the user.
void secret_file_warn(App *app, const char *what, const char *path);

#endif
