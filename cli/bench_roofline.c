// The roofline of each device of a run, also for the screen.
#include "cli/bench.h"
#include "kernels/roofline.h"
#include "src/report/bench_report.h"

// For the screen, which draws the picture itself.
static void capture(App *app, const Roofline *roof, const Listing *points) {
    AppCapture *c = app->capture;
    if (c == NULL) return;
    c->roofs = arena_grow(&app->arena, c->roofs, c->n_roofs, &c->roofs_capacity, sizeof *c->roofs);
    c->roofs[c->n_roofs++] = *roof;
    app_capture(app, points);
}

void bench_roofline_text(App *app, const BenchRun *run) {
    Writer w = app_writer(app);
    for (size_t i = 0; i < run->n_devices; i++) {
        Roofline roof;
        if (!roofline_of(run, run->devices[i].id, &app->arena, &roof)) continue;
        Listing points = roofline_points(&roof, &app->arena);
        capture(app, &roof, &points);
        roofline_text(&w, &roof, &points);
    }
}

void bench_roofline_json(App *app, const BenchRun *run, Json *root) {
    Json *list = json_add_array(root, "rooflines");
    for (size_t i = 0; i < run->n_devices; i++) {
        Roofline roof;
        if (roofline_of(run, run->devices[i].id, &app->arena, &roof))
            roofline_json(&roof, &app->arena, json_add_object(list, NULL));
    }
}
