// Constants by their number in the list.
#include "src/perf/constants.h"

#include <math.h>
#include <string.h>

#include "src/base/base.h"

const ConstantSpec constant_specs[CONSTANT_COUNT] = {
#define SPEC(id, name, least, most) [CONSTANT_##id] = {name, least, most},
    CONSTANT_LIST(SPEC)
#undef SPEC
};

double constant_of(const Facts *facts, ConstantId id) {
    const char *name = constant_specs[id].name;
    // The shipped table is in this order, and a search asks a hundred thousand times.
    if (id < facts->n_constants && strcmp(facts->constants[id].name, name) == 0)
        return facts->constants[id].value;
    const Constant *row = row_named(name, facts->constants, facts->n_constants, sizeof *facts->constants);
    return row != NULL ? row->value : (double)NAN;
}
