// Signatures of files as minisign makes and checks them (Ed25519 over BLAKE2b-512). The only place for
// libsodium.
//
// Format: jedisct1.github.io/minisign. Texts are whole files: an untrusted comment, a line of base64, and for
// signatures a trusted comment and its signature. A public key may also be the bare line of base64. All of it
// may be hostile.
#ifndef GPUADVISE_CATALOG_FEEDS_MINISIGN_H
#define GPUADVISE_CATALOG_FEEDS_MINISIGN_H

#include <stdbool.h>

#include "src/base/base.h"

enum { MINISIGN_TEXT_MAX = 16384 };  // bytes of a key or signature file

// Is `signature` one of `bytes` by the holder of `public_key`? ret_comment: the trusted comment (clean,
// arena). Both the hashed form ("ED") and the older one over the bytes themselves ("Ed") are taken.
bool minisign_verify(Str bytes, Str signature, Str public_key, Arena *a, const char **ret_comment, Err *e);

// Text of a signature of `bytes`. A key protected by a password needs it (NULL or "": none). `comment` is
// signed too: one line.
bool minisign_sign(Str bytes, Str secret_key, const char *password, const char *comment, Arena *a,
                   const char **ret_signature, Err *e);

// A new pair of keys, the secret one without a password: keep its file to yourself.
bool minisign_generate(Arena *a, const char **ret_secret_key, const char **ret_public_key, Err *e);

#endif
