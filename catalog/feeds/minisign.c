// minisign's keys and signatures on libsodium.
#include "catalog/feeds/minisign.h"

#include <sodium.h>
#include <string.h>

enum {
    ALGORITHM = 2,
    KEY_ID = 8,
    PUBLIC_BYTES = ALGORITHM + KEY_ID + crypto_sign_PUBLICKEYBYTES,
    SIGNATURE_BYTES = ALGORITHM + KEY_ID + crypto_sign_BYTES,
    CHECKSUM = 32,
    SALT = 32,
    INNER = KEY_ID + crypto_sign_SECRETKEYBYTES + CHECKSUM,  // what a password hides
    SECRET_BYTES = 3 * ALGORITHM + SALT + 8 + 8 + INNER,
    INNER_AT = SECRET_BYTES - INNER,
    HASH = 64,
    COMMENT_MAX = 8192
};

static bool start(Err *e) { return sodium_init() >= 0 || err_set(e, ERR_FAILED, "libsodium does not start"); }

// ---------------------------------------------------------------- text

static bool next_line(Str *rest, Str *ret_line) {
    if (!str_next(rest, '\n', ret_line)) return false;
    if (ret_line->length > 0 && ret_line->data[ret_line->length - 1] == '\r') ret_line->length--;
    return true;
}

static bool decode(Str line, unsigned char *out, size_t size, const char *what, Err *e) {
    size_t used = 0;
    const char *end = NULL;
    Str text = str_trim(line);
    bool ok = sodium_base642bin(out, size, text.data == NULL ? "" : text.data, text.length, NULL, &used, &end,
                                sodium_base64_VARIANT_ORIGINAL) == 0;
    if (ok && used == size && end == text.data + text.length) return true;
    return err_set(e, ERR_FAILED, "not a %s of minisign", what);
}

static const char *encode(Arena *a, const unsigned char *bytes, size_t n) {
    size_t size = sodium_base64_encoded_len(n, sodium_base64_VARIANT_ORIGINAL);
    char *text = arena_alloc(a, size, 1);
    return sodium_bin2base64(text, size, bytes, n, sodium_base64_VARIANT_ORIGINAL);
}

// The line of base64 of a key file: the one after the comment, or the only one.
static bool read_key(Str text, unsigned char *out, size_t size, const char *what, Err *e) {
    Str rest = text;
    Str line = {"", 0};
    if (text.length > MINISIGN_TEXT_MAX) return err_set(e, ERR_FAILED, "not a %s of minisign", what);
    next_line(&rest, &line);
    if (str_starts(line, "untrusted comment:")) next_line(&rest, &line);
    return decode(line, out, size, what, e);
}

// ---------------------------------------------------------------- verify

typedef struct Signature {
    unsigned char bytes[SIGNATURE_BYTES];
    unsigned char global[crypto_sign_BYTES];  // over the signature proper and the trusted comment
    Str comment;
} Signature;

static bool read_signature(Str text, Signature *ret_s, Err *e) {
    static const char trusted[] = "trusted comment: ";
    Str rest = text;
    Str comment, signature, global;
    if (text.length > MINISIGN_TEXT_MAX || !next_line(&rest, &comment) ||
        !str_starts(comment, "untrusted comment:") || !next_line(&rest, &signature) ||
        !next_line(&rest, &comment) || !str_starts(comment, trusted) || !next_line(&rest, &global))
        return err_set(e, ERR_FAILED, "not a signature of minisign");
    ret_s->comment = (Str){comment.data + strlen(trusted), comment.length - strlen(trusted)};
    return decode(signature, ret_s->bytes, SIGNATURE_BYTES, "signature", e) &&
           decode(global, ret_s->global, crypto_sign_BYTES, "signature", e);
}

static bool signed_by(const unsigned char *signature, const unsigned char *bytes, size_t n,
                      const unsigned char *key) {
    return crypto_sign_verify_detached(signature, bytes, n, key) == 0;
}

bool minisign_verify(Str bytes, Str signature, Str public_key, Arena *a, const char **ret_comment, Err *e) {
    unsigned char key[PUBLIC_BYTES];
    unsigned char hash[HASH];
    unsigned char whole[crypto_sign_BYTES + COMMENT_MAX];
    Signature s;
    if (!start(e) || !read_key(public_key, key, sizeof key, "public key", e) ||
        !read_signature(signature, &s, e))
        return false;
    if (memcmp(key, "Ed", ALGORITHM) != 0)
        return err_set(e, ERR_FAILED, "a public key of another kind than Ed25519");
    bool hashed = memcmp(s.bytes, "ED", ALGORITHM) == 0;
    if (!hashed && memcmp(s.bytes, "Ed", ALGORITHM) != 0)
        return err_set(e, ERR_FAILED, "a signature of another kind than Ed25519");
    if (memcmp(s.bytes + ALGORITHM, key + ALGORITHM, KEY_ID) != 0)
        return err_set(e, ERR_FAILED, "signed with another key than the trusted one");
    const unsigned char *signed_bytes = (const unsigned char *)bytes.data;
    size_t n = bytes.length;
    if (hashed) {
        crypto_generichash(hash, sizeof hash, signed_bytes, n, NULL, 0);
        signed_bytes = hash;
        n = sizeof hash;
    }
    const unsigned char *public = key + ALGORITHM + KEY_ID;
    if (!signed_by(s.bytes + ALGORITHM + KEY_ID, signed_bytes, n, public))
        return err_set(e, ERR_FAILED, "the signature does not fit: the bytes are not those that were signed");
    if (s.comment.length > COMMENT_MAX) return err_set(e, ERR_FAILED, "the trusted comment is too long");
    memcpy(whole, s.bytes + ALGORITHM + KEY_ID, crypto_sign_BYTES);
    memcpy(whole + crypto_sign_BYTES, s.comment.data, s.comment.length);
    if (!signed_by(s.global, whole, crypto_sign_BYTES + s.comment.length, public))
        return err_set(e, ERR_FAILED, "the signature of the trusted comment does not fit");
    *ret_comment = text_clean(a, arena_copy(a, s.comment.data, s.comment.length));
    return true;
}

// ---------------------------------------------------------------- sign

static uint64_t little_endian(const unsigned char *p) {
    uint64_t x = 0;
    for (int i = 7; i >= 0; i--) x = x << 8 | p[i];
    return x;
}

// Lifts the password off the inner part of a secret key.
static bool unlock(unsigned char key[SECRET_BYTES], const char *password, Err *e) {
    enum { MEMORY_MAX = 1 << 30 };
    unsigned char stream[INNER];
    const unsigned char *salt = key + 3 * ALGORITHM;
    uint64_t memory = little_endian(salt + SALT + 8);
    if (memcmp(key + ALGORITHM, "\0\0", ALGORITHM) == 0) return true;
    if (memcmp(key + ALGORITHM, "Sc", ALGORITHM) != 0)
        return err_set(e, ERR_FAILED, "a secret key protected in an unknown way");
    if (password == NULL || password[0] == '\0')
        return err_set(e, ERR_FAILED, "the secret key needs its password (GPUADVISE_SNAPSHOT_PASSWORD)");
    if (memory > MEMORY_MAX)
        return err_set(e, ERR_FAILED, "the secret key asks for more than 1 GiB to be opened");
    if (crypto_pwhash_scryptsalsa208sha256(stream, sizeof stream, password, strlen(password), salt,
                                           little_endian(salt + SALT), (size_t)memory) != 0)
        return err_set(e, ERR_FAILED, "the secret key cannot be opened: not enough memory");
    for (size_t i = 0; i < INNER; i++) key[INNER_AT + i] ^= stream[i];
    sodium_memzero(stream, sizeof stream);
    return true;
}

static void checksum_of(const unsigned char key[SECRET_BYTES], unsigned char out[CHECKSUM]) {
    crypto_generichash_state state;
    crypto_generichash_init(&state, NULL, 0, CHECKSUM);
    crypto_generichash_update(&state, key, ALGORITHM);
    crypto_generichash_update(&state, key + INNER_AT, KEY_ID + crypto_sign_SECRETKEYBYTES);
    crypto_generichash_final(&state, out, CHECKSUM);
}

static bool open_secret(Str text, const char *password, unsigned char key[SECRET_BYTES], Err *e) {
    unsigned char sum[CHECKSUM];
    if (!read_key(text, key, SECRET_BYTES, "secret key", e)) return false;
    if (memcmp(key, "Ed", ALGORITHM) != 0 || memcmp(key + 2 * ALGORITHM, "B2", ALGORITHM) != 0)
        return err_set(e, ERR_FAILED, "not a secret key of minisign");
    bool locked = memcmp(key + ALGORITHM, "\0\0", ALGORITHM) != 0;
    if (!unlock(key, password, e)) return false;
    checksum_of(key, sum);
    // minisign leaves the checksum of a key without a password out.
    if (memcmp(sum, key + SECRET_BYTES - CHECKSUM, CHECKSUM) == 0 ||
        (!locked && sodium_is_zero(key + SECRET_BYTES - CHECKSUM, CHECKSUM)))
        return true;
    return err_set(e, ERR_FAILED, "%s",
                   locked ? "wrong password for the secret key" : "the secret key is damaged");
}

bool minisign_sign(Str bytes, Str secret_key, const char *password, const char *comment, Arena *a,
                   const char **ret_signature, Err *e) {
    unsigned char key[SECRET_BYTES];
    unsigned char signature[SIGNATURE_BYTES];
    unsigned char hash[HASH];
    unsigned char whole[crypto_sign_BYTES + COMMENT_MAX];
    unsigned char global[crypto_sign_BYTES];
    size_t n = strlen(comment);
    if (n > COMMENT_MAX || strchr(comment, '\n') != NULL)
        return err_set(e, ERR_FAILED, "the comment of a signature is one line of at most %d bytes",
                       COMMENT_MAX);
    if (!start(e)) return false;
    bool ok = open_secret(secret_key, password, key, e);
    if (ok) {
        const unsigned char *secret = key + INNER_AT + KEY_ID;
        crypto_generichash(hash, sizeof hash, (const unsigned char *)bytes.data, bytes.length, NULL, 0);
        memcpy(signature, "ED", ALGORITHM);
        memcpy(signature + ALGORITHM, key + INNER_AT, KEY_ID);
        crypto_sign_detached(signature + ALGORITHM + KEY_ID, NULL, hash, sizeof hash, secret);
        memcpy(whole, signature + ALGORITHM + KEY_ID, crypto_sign_BYTES);
        memcpy(whole + crypto_sign_BYTES, comment, n);
        crypto_sign_detached(global, NULL, whole, crypto_sign_BYTES + n, secret);
        *ret_signature =
            arena_printf(a, "untrusted comment: signature of gpuadvise\n%s\ntrusted comment: %s\n%s\n",
                         encode(a, signature, sizeof signature), comment, encode(a, global, sizeof global));
    }
    sodium_memzero(key, sizeof key);
    return ok;
}

bool minisign_generate(Arena *a, const char **ret_secret_key, const char **ret_public_key, Err *e) {
    unsigned char secret[SECRET_BYTES] = {0};
    unsigned char public[PUBLIC_BYTES];
    if (!start(e)) return false;
    memcpy(secret, "Ed", ALGORITHM);
    memcpy(secret + 2 * ALGORITHM, "B2", ALGORITHM);
    randombytes_buf(secret + INNER_AT, KEY_ID);
    crypto_sign_keypair(public + ALGORITHM + KEY_ID, secret + INNER_AT + KEY_ID);
    checksum_of(secret, secret + SECRET_BYTES - CHECKSUM);
    memcpy(public, "Ed", ALGORITHM);
    memcpy(public + ALGORITHM, secret + INNER_AT, KEY_ID);
    *ret_secret_key =
        arena_printf(a, "untrusted comment: gpuadvise secret key\n%s\n", encode(a, secret, sizeof secret));
    *ret_public_key =
        arena_printf(a, "untrusted comment: gpuadvise public key\n%s\n", encode(a, public, sizeof public));
    sodium_memzero(secret, sizeof secret);
    return true;
}
