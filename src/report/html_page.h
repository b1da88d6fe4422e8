// Inside of src/report: pages of HTML that stand alone. All text is escaped here; a page asks nothing of any
// network, and its policy lets nothing but its own scripts and style work.
#ifndef GPUADVISE_REPORT_HTML_PAGE_H
#define GPUADVISE_REPORT_HTML_PAGE_H

#include "src/report/report.h"

void html_open(Buf *out, const char *title);
// `figures`: the array that html_script.js draws; ends the page.
void html_close(Buf *out, const Json *figures, const char *footer);

// <tag class="class">text</tag>; class "" = none
void html_element(Buf *out, const char *tag, const char *class, const char *text);
// left open: html_end(out, "section")
void html_section(Buf *out, const char *class, const char *title);
void html_end(Buf *out, const char *tag);

// A figure with room for a chart, and `table` beneath it for readers without scripts. `alt` says what the
// chart shows.
void html_figure(Buf *out, const char *id, const char *title, const char *about, const char *alt,
                 const Listing *table);

void html_table(Buf *out, const char *caption, const Listing *l);  // columns that are not a detail
// The parts of a list of sources, each with a link where it names a page or a file, issue or commit of
// GitHub.
void html_sources(Buf *out, const char *sources);

#endif
