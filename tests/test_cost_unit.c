// What costs are for: which price leads.
#include "src/advise/advise.h"
#include "tests/advise_world.h"
#include "tests/check.h"

static void test_inputs_lead_from_eight_to_one(void) {
    static const struct {
        double input, output;
        bool lead;
    } cases[] = {{1024, 512, false}, {4095, 512, false}, {4096, 512, true}, {1024, 2, true}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        World w;
        make(&w);
        w.ask.workload.isl_tokens = cases[i].input, w.ask.workload.osl_tokens = cases[i].output;
        run(&w);
        CHECK_INT(inputs_lead(&w.ask), cases[i].lead);
        CHECK(w.advice.n_options > 0);
        double all_to_output = (cases[i].input + cases[i].output) / cases[i].output;
        for (size_t k = 0; k < w.advice.n_options;
             k++) {  // one factor for all of them: the ranking is the same
            const Option *o = &w.advice.options[k];
            CHECK_NEAR(o->output_usd_mtok.value / o->blended_usd_mtok.value / all_to_output, 1, 1e-9);
            CHECK(o->cost == (cases[i].lead ? &o->blended_usd_mtok : &o->output_usd_mtok)->value);
        }
        CHECK((strstr(w.advice.verdict.text, "per million input and output tokens, ") != NULL) ==
              cases[i].lead);
        CHECK(strstr(w.advice.verdict.text, "per million output tokens") != NULL);
        arena_free(&w.arena);
    }
}

static const TestCase tests[] = {
    TEST(inputs_lead_from_eight_to_one),
};
TEST_MAIN(tests)
