// The rows of the command table: by name, their subcommands and options.
#include <string.h>

#include "cli/cli.h"

const Command *command_find(const CommandTable *t, const char *name) {
    for (size_t i = 0; i < t->n; i++) {
        if (strcmp(t->rows[i]->name, name) == 0) return t->rows[i];
    }
    return NULL;
}

const Verb *command_verb(const Command *c, const char *name) {
    for (size_t i = 0; i < c->n_verbs; i++) {
        if (c->verbs[i].name[0] != '\0' && strcmp(c->verbs[i].name, name) == 0) return &c->verbs[i];
    }
    return NULL;
}

bool command_takes(const Command *c, OptionId id) {
    for (size_t i = 0; i < c->n_verbs; i++) {
        if (verb_takes(c, &c->verbs[i], id)) return true;
    }
    return option_table[id].global;
}

bool verb_takes(const Command *c, const Verb *v, OptionId id) {
    if (v == NULL) return command_takes(c, id);
    for (size_t i = 0; v->options[i] != OPT_COUNT; i++) {
        if (v->options[i] == id) return true;
    }
    return option_table[id].global;
}
