// Foreign text made harmless for each format: CSV, Markdown, HTML.
#include <string.h>

#include "src/report/report.h"

// A cleaned copy that the caller frees with buf_free; never NULL data.
static Buf cleaned(const char *text) {
    Buf b;
    buf_init(&b, BUF_LIMIT);
    buf_add_clean(&b, text);
    buf_puts(&b, "");
    return b;
}

void csv_cell(Buf *out, const char *text) {
    Buf b = cleaned(text);
    // Spreadsheets run a cell that begins with one of these as a formula. Apostrophes that stood before it
    // count, so that readers can take one off.
    const char first = b.data[strspn(b.data, "'")];
    bool formula = first != '\0' && strchr("=+-@", first) != NULL;
    bool edges = b.length > 0 && (b.data[0] == ' ' || b.data[b.length - 1] == ' ');
    bool quote = edges || strpbrk(b.data, ",\"") != NULL;
    if (quote) buf_puts(out, "\"");
    if (formula) buf_puts(out, "'");
    for (const char *c = b.data; *c != '\0'; c++) {
        if (*c == '"') buf_puts(out, "\"");
        buf_add(out, c, 1);
    }
    if (quote) buf_puts(out, "\"");
    buf_free(&b);
}

static const char *entity(char c) {
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return NULL;
    }
}

void md_cell(Buf *out, const char *text) {
    Buf b = cleaned(text);
    for (const char *c = b.data; *c != '\0'; c++) {
        if (*c == '&' || *c == '<' || *c == '>') {
            buf_puts(out, entity(*c));
            continue;
        }
        if (strchr("\\`*_[]|~", *c) != NULL) buf_puts(out, "\\");
        buf_add(out, c, 1);
    }
    buf_free(&b);
}

void html_text(Buf *out, const char *text) {
    Buf b = cleaned(text);
    for (const char *c = b.data; *c != '\0'; c++) {
        const char *escaped = entity(*c);
        if (escaped != NULL) {
            buf_puts(out, escaped);
        } else {
            buf_add(out, c, 1);
        }
    }
    buf_free(&b);
}
