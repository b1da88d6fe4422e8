// A judged fleet as text, CSV, Markdown, JSON, HTML, and as commands for schedulers.
#ifndef GPUADVISE_FLEET_REPORT_H
#define GPUADVISE_FLEET_REPORT_H

#include "src/fleet/fleet.h"
#include "src/report/report.h"

// Adds "summary", "nodes" and "groups".
void fleet_json(const Fleet *f, Arena *a, Json *root);
// table: the nodes that are not good, and what groups reach; csv, md: all nodes.
void fleet_text(const Fleet *f, Format format, Room room, Arena *a, Buf *out);
void fleet_html(const Fleet *f, const char *title, const char *made, Arena *a, Buf *out);
// FORMAT_SLURM, FORMAT_K8S: a line for a shell for each node to take out of use. What is no host's name
// stands in a remark.
void fleet_drain(const Fleet *f, Format format, Arena *a, Buf *out);

// "16 nodes: 11 good, 1 straggler, 4 missing".
const char *fleet_summary(const Fleet *f, Arena *a);
// What was found of a node, worst first, in one line.
const char *fleet_why(const FleetNode *n, Arena *a);

// "Group 1: 128 devices of h100-sxm5-80gb, nvidia 580.95.05".
const char *fleet_group_text(const Fleet *f, size_t group, Arena *a);

// Nodes (`all` false: those that are not good), and lines of groups (those that compare something).
void fleet_nodes(const Fleet *f, bool all, Arena *a, Listing *ret_listing);
void fleet_lines(const Fleet *f, bool all, Arena *a, Listing *ret_listing);

#endif
