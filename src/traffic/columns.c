// Which columns mean what: named formats, usual names, what the user says.
#include <math.h>
#include <string.h>

#include "src/traffic/reader.h"

const char *const time_unit_names[] = {"ask", "iso", "s", "ms", "us", "ns", NULL};
static const char *const role_names[] = {"time",    "input",  "output", "cached",
                                         "session", "blocks", "status", NULL};

// As their publishers describe them; columns and units checked on the files of 2023 to 2026.
static const TrafficFormat formats[] = {
    {.name = "Azure LLM inference trace",
     .column = {[ROLE_TIME] = "TIMESTAMP", [ROLE_INPUT] = "ContextTokens", [ROLE_OUTPUT] = "GeneratedTokens"},
     .unit = TIME_IN_ISO},
    {.name = "Vidur trace",
     .column = {[ROLE_TIME] = "arrived_at",
                [ROLE_INPUT] = "num_prefill_tokens",
                [ROLE_OUTPUT] = "num_decode_tokens"},
     .unit = TIME_IN_S},
    {.name = "Splitwise trace",
     .column =
         {[ROLE_TIME] = "arrival_timestamp", [ROLE_INPUT] = "prompt_size", [ROLE_OUTPUT] = "token_size"},
     .unit = TIME_IN_S},
    {.name = "BurstGPT trace",
     .column = {[ROLE_TIME] = "Timestamp",
                [ROLE_INPUT] = "Request tokens",
                [ROLE_OUTPUT] = "Response tokens",
                [ROLE_SESSION] = "Session ID"},
     .unit = TIME_IN_S,
     .zero_output_failed = true},
    {.name = "Bailian trace",
     .mark = "chat_id",
     .column = {[ROLE_TIME] = "timestamp",
                [ROLE_INPUT] = "input_length",
                [ROLE_OUTPUT] = "output_length",
                [ROLE_BLOCKS] = "hash_ids"},
     .unit = TIME_IN_S,
     .block_tokens = 16},
    {.name = "Mooncake trace",
     .mark = "hash_ids",
     .column = {[ROLE_TIME] = "timestamp",
                [ROLE_INPUT] = "input_length",
                [ROLE_OUTPUT] = "output_length",
                [ROLE_SESSION] = "session_id",
                [ROLE_BLOCKS] = "hash_ids"},
     .unit = TIME_IN_MS,
     .block_tokens = 512},
    {.name = "AIPerf trace",
     .column = {[ROLE_TIME] = "timestamp",
                [ROLE_INPUT] = "input_length",
                [ROLE_OUTPUT] = "output_length",
                [ROLE_SESSION] = "session_id"},
     .unit = TIME_IN_MS},
    {.name = "AIPerf records",
     .column = {[ROLE_TIME] = "metadata.request_start_ns",
                [ROLE_INPUT] = "metrics.input_sequence_length.value",
                [ROLE_OUTPUT] = "metrics.output_sequence_length.value",
                [ROLE_SESSION] = "metadata.conversation_id"},
     .unit = TIME_IN_NS,
     .calendar = true},
    {.name = "LiteLLM spend log",
     .column = {[ROLE_TIME] = "startTime",
                [ROLE_INPUT] = "prompt_tokens",
                [ROLE_OUTPUT] = "completion_tokens",
                [ROLE_SESSION] = "session_id",
                [ROLE_STATUS] = "status"},
     .unit = TIME_IN_ISO},
    {.name = "OpenAI responses",
     .mark = "usage.prompt_tokens",
     .column = {[ROLE_TIME] = "created",
                [ROLE_INPUT] = "usage.prompt_tokens",
                [ROLE_OUTPUT] = "usage.completion_tokens",
                [ROLE_CACHED] = "usage.prompt_tokens_details.cached_tokens"},
     .unit = TIME_IN_S,
     .calendar = true},
    {.name = "OpenAI responses",
     .mark = "usage.input_tokens",
     .column = {[ROLE_TIME] = "created_at",
                [ROLE_INPUT] = "usage.input_tokens",
                [ROLE_OUTPUT] = "usage.output_tokens",
                [ROLE_CACHED] = "usage.input_tokens_details.cached_tokens"},
     .unit = TIME_IN_S,
     .calendar = true},
    {.name = "OpenTelemetry spans",
     .mark = "startTimeUnixNano",
     .column = {[ROLE_TIME] = "startTimeUnixNano",
                [ROLE_INPUT] = "attributes.gen_ai.usage.input_tokens",
                [ROLE_OUTPUT] = "attributes.gen_ai.usage.output_tokens",
                [ROLE_SESSION] = "attributes.gen_ai.conversation.id"},
     .unit = TIME_IN_NS,
     .calendar = true},
    {.name = "OpenTelemetry spans",
     .column = {[ROLE_TIME] = "start_time",
                [ROLE_INPUT] = "attributes.gen_ai.usage.input_tokens",
                [ROLE_OUTPUT] = "attributes.gen_ai.usage.output_tokens",
                [ROLE_SESSION] = "attributes.gen_ai.conversation.id"},
     .unit = TIME_IN_ISO},
};

// Names that people give to such columns, likeliest first.
static const char *const usual[ROLE_COUNT] = {
    [ROLE_TIME] = "timestamp ts time start_time startTime created created_at arrived_at arrival_time "
                  "arrival_timestamp arrival request_time",
    [ROLE_INPUT] = "prompt_tokens input_tokens input_length num_prefill_tokens ContextTokens prompt_len "
                   "input_len prompt_size isl usage.prompt_tokens usage.input_tokens",
    [ROLE_OUTPUT] = "completion_tokens output_tokens output_length num_decode_tokens GeneratedTokens "
                    "generated_tokens output_len token_size osl usage.completion_tokens usage.output_tokens",
    [ROLE_CACHED] = "cached_tokens cached_input_tokens input_cached_tokens "
                    "usage.prompt_tokens_details.cached_tokens",
    [ROLE_SESSION] = "session_id conversation_id",
    [ROLE_BLOCKS] = "hash_ids",
    [ROLE_STATUS] = "",
};

static bool has(const Str *names, size_t n, const char *name) {
    for (size_t i = 0; i < n; i++) {
        if (str_is(names[i], name)) return true;
    }
    return false;
}

static Str first_of(const Str *names, size_t n, const char *wanted) {
    Str rest = str_of(wanted);
    Str word;
    while (str_next(&rest, ' ', &word)) {
        for (size_t i = 0; i < n && word.length > 0; i++) {
            if (names[i].length == word.length && memcmp(names[i].data, word.data, word.length) == 0)
                return word;
        }
    }
    return (Str){"", 0};
}

static const TrafficFormat *format_of(const Str *names, size_t n) {
    for (size_t i = 0; i < COUNT_OF(formats); i++) {
        const TrafficFormat *f = &formats[i];
        if (has(names, n, f->column[ROLE_INPUT]) && has(names, n, f->column[ROLE_OUTPUT]) &&
            (f->mark != NULL ? has(names, n, f->mark) : has(names, n, f->column[ROLE_TIME])))
            return f;
    }
    return NULL;
}

bool column_is_time(const ColumnMap *map, Str name) {
    if (map->column[ROLE_TIME] != NULL) return str_is(name, map->column[ROLE_TIME]);
    return first_of(&name, 1, usual[ROLE_TIME]).length > 0;
}

static void take_format(const TrafficFormat *f, const Str *names, size_t n, Columns *c) {
    c->name = f->name;
    c->unit = f->unit;
    c->block_tokens = f->block_tokens;
    c->zero_output_failed = f->zero_output_failed;
    c->calendar = f->calendar;
    for (int role = 0; role < ROLE_COUNT; role++) {
        bool there = f->column[role] != NULL && has(names, n, f->column[role]);
        // of a member that some records lack, the first one says nothing
        if (there || (f->column[role] != NULL && role != ROLE_SESSION))
            c->path[role] = str_of(f->column[role]);
    }
}

static void take_usual(const Str *names, size_t n, Columns *c) {
    c->name = "generic";
    for (int role = 0; role < ROLE_COUNT; role++) c->path[role] = first_of(names, n, usual[role]);
}

bool columns_find(const ColumnMap *map, const Str *names, size_t n, bool time_is_text, Columns *ret, Err *e) {
    Columns c = {.name = "generic"};
    bool mapped = map->column[ROLE_INPUT] != NULL || map->column[ROLE_OUTPUT] != NULL;
    const TrafficFormat *f = mapped ? NULL : format_of(names, n);
    if (f != NULL)
        take_format(f, names, n, &c);
    else
        take_usual(names, n, &c);
    for (int role = 0; role < ROLE_COUNT; role++) {
        if (map->column[role] == NULL) continue;
        if (!has(names, n, map->column[role]))
            return err_set(e, ERR_USAGE, "--map: there is no column '%s'", map->column[role]);
        c.path[role] = str_of(map->column[role]);
        if (role == ROLE_TIME) c.unit = TIME_IN_ASK;
    }
    if (map->unit != TIME_IN_ASK) c.unit = map->unit;
    if (is_known(map->block_tokens)) c.block_tokens = map->block_tokens;
    if (c.path[ROLE_INPUT].length == 0 || c.path[ROLE_OUTPUT].length == 0)
        return err_set(e, ERR_USAGE,
                       "no column of %s tokens is known among its %zu: say which with --map "
                       "time=COLUMN:UNIT,input=COLUMN,output=COLUMN",
                       c.path[ROLE_INPUT].length == 0 ? "input" : "output", n);
    if (c.unit == TIME_IN_ASK && time_is_text) c.unit = TIME_IN_ISO;
    if (c.unit == TIME_IN_ASK && c.path[ROLE_TIME].length > 0)
        return err_set(
            e, ERR_USAGE,
            "the unit of the times in '%.*s' is not known: say it with --map time=%.*s:s (or ms, us, ns)",
            (int)c.path[ROLE_TIME].length, c.path[ROLE_TIME].data, (int)c.path[ROLE_TIME].length,
            c.path[ROLE_TIME].data);
    if (c.path[ROLE_BLOCKS].length > 0 && c.block_tokens == 0)
        return err_set(e, ERR_USAGE,
                       "how many tokens a block of '%.*s' has is not known: say it with --block-tokens N",
                       (int)c.path[ROLE_BLOCKS].length, c.path[ROLE_BLOCKS].data);
    *ret = c;
    return true;
}

// ---------------------------------------------------------------- what the user says

static bool map_one(Str part, Arena *a, ColumnMap *map, Err *e) {
    Str name;
    str_next(&part, '=', &name);
    int role = name_index(role_names, arena_copy(a, name.data, name.length));
    if (part.data == NULL || part.length == 0)
        return err_set(e, ERR_USAGE, "'%.*s' is not ROLE=COLUMN", (int)name.length, name.data);
    if (role < 0)
        return err_set(e, ERR_USAGE, "'%.*s' is none of time, input, output, cached, session, blocks, status",
                       (int)name.length, name.data);
    char *column = arena_copy(a, part.data, part.length);
    char *colon = strrchr(column, ':');
    int unit = colon != NULL ? name_index(time_unit_names, colon + 1) : -1;
    if (role == ROLE_TIME && unit > TIME_IN_ASK) {
        *colon = '\0';
        map->unit = (TimeUnit)unit;
    }
    map->column[role] = column;
    return true;
}

bool column_map_read(const char *text, Arena *a, ColumnMap *map, Err *e) {
    Str rest = str_of(text);
    Str part;
    while (str_next(&rest, ',', &part)) {
        if (!map_one(part, a, map, e)) return false;
    }
    return true;
}
