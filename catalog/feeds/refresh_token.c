// The token of feeds that trade an id and a secret for one: OAuth 2, client credentials as JSON.
#include <string.h>

#include "catalog/feeds/refresh_job.h"

enum { TOKEN_BYTES_MAX = 64 * 1024, TOKEN_VALUES_MAX = 1000, TOKEN_TIMEOUT_S = 30 };

typedef struct Token {
    Buf answer;
    FeedJob *job;
    TokenDone done;
    const char *url;
} Token;

bool key_check(const char *name, const char *value, Err *e) {
    size_t length = strlen(value);
    if (length > KEY_LENGTH_MAX)
        return err_set(e, ERR_USAGE, "%s is longer than the %d characters that a key may have", name,
                       KEY_LENGTH_MAX);
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)value[i] <= ' ' || (unsigned char)value[i] >= 0x7f)
            return err_set(e, ERR_USAGE, "%s holds a blank or a character that no key has", name);
    }
    return true;
}

bool token_read(Str answer, Arena *a, const char **ret_token, Err *e) {
    Json *root = NULL;
    // and not shown: it may hold the token
    if (!json_parse(answer, TOKEN_VALUES_MAX, &root, NULL))
        return err_set(e, ERR_FAILED, "the answer is no JSON");
    const char *token = json_text(json_get(root, "access_token"));
    size_t length = token != NULL ? strlen(token) : 0;
    bool ok = length > 0 && length <= KEY_LENGTH_MAX;
    for (size_t i = 0; ok && i < length; i++) ok = token[i] > ' ' && (unsigned char)token[i] < 0x7f;
    if (ok) *ret_token = arena_copy(a, token, length);
    json_free(root);
    return ok || err_set(e, ERR_FAILED, "the answer holds no access_token");
}

static void done(void *user, const HttpReply *reply, const Err *failed) {
    Token *t = user;
    const char *token = "";
    Err e = {0};
    bool ok =
        failed == NULL && token_read((Str){t->answer.data != NULL ? t->answer.data : "", t->answer.length},
                                     &t->job->arena, &token, &e);
    if (failed != NULL) e = *failed;
    if (failed == NULL && !ok) {
        char shown[300];
        http_url_shown(shown, sizeof shown, t->url);
        err_wrap(&e, "'%s'", shown);
    }
    buf_free(&t->answer);
    t->done(t->job, token, reply, ok ? NULL : &e);
}

// As text of the job, without the line ends that people like.
static const char *question(FeedJob *job) {
    Json *root = json_object();
    Buf text;
    buf_init(&text, TOKEN_BYTES_MAX);
    json_add_text(root, "grant_type", "client_credentials");
    json_add_text(root, "client_id", job->id);
    json_add_text(root, "client_secret", job->key);
    json_print(root, &text);
    json_free(root);
    return buf_take(&text, &job->arena);
}

void token_ask(FeedJob *job, const char *url, TokenDone token_done) {
    Token *t = arena_alloc(&job->arena, 1, sizeof *t);
    *t = (Token){.job = job, .done = token_done, .url = url};
    buf_init(&t->answer, TOKEN_BYTES_MAX);
    http_add(job->run->http, &(HttpRequest){.url = url,
                                            .body = question(job),
                                            .body_type = "application/json",
                                            .types = doc_types(FEED_JSON),
                                            .body_max = TOKEN_BYTES_MAX,
                                            .timeout_s = TOKEN_TIMEOUT_S,
                                            .group = job,
                                            .user = t,
                                            .begin = http_keep_begin,
                                            .bytes = http_keep_bytes,
                                            .done = done});
}

// ---------------------------------------------------------------- keys

// What other tools call the same key: doctl and Terraform, gpuhunt, the sellers' own clients. Ours counts
// first.
static const char *const other_names[][2] = {
    {"DIGITALOCEAN_TOKEN", "DIGITALOCEAN_ACCESS_TOKEN"},
    {"DIGITALOCEAN_TOKEN", "DIGITAL_OCEAN_API_KEY"},
    {"HOTAISLE_TEAM", "HOTAISLE_TEAM_HANDLE"},
    {"LAMBDA_API_KEY", "LAMBDALABS_TOKEN"},
    {"VERDA_CLIENT_ID", "DATACRUNCH_CLIENT_ID"},
    {"VERDA_CLIENT_SECRET", "DATACRUNCH_CLIENT_SECRET"},
    {"SEEWEB_API_TOKEN", "ECSAPI_TOKEN"},
    {"JL_API_KEY", "JARVISLABS_API_KEY"},
};

bool job_secret(FeedJob *job, const char *name, const char **ret_value, Err *e) {
    const RefreshOptions *o = job->run->options;
    *ret_value = "";
    if (name == NULL || o->secret == NULL) return true;
    const char *used = name;
    if (!o->secret(o->user, name, ret_value, e)) return false;
    for (size_t i = 0; i < COUNT_OF(other_names) && (*ret_value)[0] == '\0'; i++) {
        if (strcmp(other_names[i][0], name) != 0) continue;
        used = other_names[i][1];
        if (!o->secret(o->user, used, ret_value, e)) return false;
    }
    return key_check(used, *ret_value, e);
}
