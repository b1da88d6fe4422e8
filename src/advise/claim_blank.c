// A claim that says nothing yet.
#include "src/advise/check.h"
#include "src/facts/tables.h"

PublicClaim claim_blank(void) {
    PublicClaim claim;
    row_blank(&claims_table, &claim);
    return claim;
}
