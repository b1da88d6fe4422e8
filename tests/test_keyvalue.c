// Lines of "key = value": what is trimmed, what is a comment, which line an error is in.
#include "src/base/keyvalue.h"

#include <string.h>

#include "tests/check.h"

// "LINE:KEY=VALUE; " of every line that is read; "?" for a value that is none.
static const char *read_all(KeyValues r, Arena *a) {
    const char *text = "";
    for (Str key, value; keyvalue_next(&r, &key, &value);) {
        bool none = value.data == NULL;
        text = arena_printf(a, "%s%zu:%.*s=%.*s; ", text, r.line, (int)key.length, key.data,
                            none ? 1 : (int)value.length, none ? "?" : value.data);
    }
    return text;
}

static void test_lines(void) {
    static const struct {
        const char *text;
        bool comments;
        const char *want;
    } cases[] = {
        {"", true, ""},
        {"a=1", true, "1:a=1; "},
        {"\xef\xbb\xbf a =  1 2 \r\n\n  \n b = c = d\n", true, "1:a=1 2; 4:b=c = d; "},
        {"# a=1\n \t# b=2\nc=3 # three\nd=4\t#x\ne=5#6\n", true, "3:c=3; 4:d=4; 5:e=5#6; "},
        {"# a=1\nfilter = h100 # x\n", false, "1:# a=1; 2:filter=h100 # x; "},
        {"word\n= 1\na =\n", true, "1:word=?; 2:=1; 3:a=; "},
    };
    Arena a = {0};
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        CHECK_STR(read_all((KeyValues){.rest = str_of(cases[i].text), .comments = cases[i].comments}, &a),
                  cases[i].want);
    arena_free(&a);
}

static const TestCase tests[] = {TEST(lines)};
TEST_MAIN(tests)
