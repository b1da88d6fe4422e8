// The rows of cli/examples.tsv, for help and the man page. tests/cli/test_help.py runs them.
#include "cli/help.h"
#include "src/base/embedded.h"

Str example_rows(void) {
    Str text = {embedded_examples[0].data, embedded_examples[0].length};
    Str header;
    str_next(&text, '\n', &header);
    return text;
}

bool example_next(Str *rows, Example *ret_example) {
    Str row;
    if (!str_next(rows, '\n', &row) || row.length == 0) return false;
    *ret_example = (Example){0};
    return str_next(&row, '\t', &ret_example->command) && str_next(&row, '\t', &ret_example->verb) &&
           str_next(&row, '\t', &ret_example->line) && str_next(&row, '\t', &ret_example->says);
}
