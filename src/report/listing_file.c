// A listing as a file that stands alone.
#include "src/report/html_page.h"

void listing_file(const Listing *l, Format format, const Envelope *env, const char *title, Buf *out) {
    Json *inputs = NULL;
    if (format == FORMAT_JSON) {
        Json *root = envelope_json(env, &inputs);
        json_add_text(inputs, "answer_of", title);
        listing_json(l, root);
        json_print(root, out);
        json_free(root);
    } else if (format == FORMAT_HTML) {
        html_open(out, title);
        html_section(out, "", title);
        listing_print(l, format, (Room){0}, out);
        html_end(out, "section");
        Json *no_figures = json_array();
        html_close(out, no_figures, env->tool_version);
        json_free(no_figures);
    } else {
        listing_print(l, format, (Room){0}, out);
    }
}
