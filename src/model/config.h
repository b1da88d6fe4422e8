// Between model_config.c and config_layers.c: a config.json under reading.
#ifndef GPUADVISE_MODEL_CONFIG_H
#define GPUADVISE_MODEL_CONFIG_H

#include "src/model/model.h"

enum { NAME_MAX_BYTES = 100 };  // of a member that is looked for

// The configuration of the whole and that of its language model, which goes first; the same where they are
// one.
typedef struct Config {
    const Json *outer, *inner;
} Config;

// A member by name, "a.b" for one of a member; NULL: there is none. Borrowed from the configuration.
const Json *config_member(const Config *c, const char *name);
const char *config_text(const Config *c, const char *name);  // "": none, or no text

// What lists say of the layers, into the draft. False, with `e`, on lists that contradict the number of layers.
bool config_layer_types(ModelDraft *d, const Config *c, Err *e);
bool config_layer_numbers(ModelDraft *d, const Config *c, Err *e);
bool config_blocks(ModelDraft *d, const Config *c, Err *e);
void config_letters(ModelDraft *d, const Config *c);
bool config_expert_layers(ModelDraft *d, const Config *c, Err *e);

#endif
