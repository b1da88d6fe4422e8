// Models that the catalog does not have, from their files: config.json, GGUF and safetensors headers.
#ifndef GPUADVISE_CATALOG_FACTS_MODEL_FILE_H
#define GPUADVISE_CATALOG_FACTS_MODEL_FILE_H

#include "src/base/base.h"
#include "src/facts/facts.h"

// Reads a model: a Hugging Face config.json, a GGUF file (its header), a
// safetensors file or index (headers; with the config.json beside it), or a folder with those. The files may
// be hostile. Unknown numbers are derived as far as the shape determines them; *ret_warning (arena text, ""
// otherwise) says what was assumed. Fails on what cannot be read, names missing keys and, unless
// `assume_dense`, an architecture that is not known. ERR_USAGE always.
bool model_file_read(const char *path, bool assume_dense, Arena *a, Model *ret_model,
                     const char **ret_warning, Err *e);

#endif
