// Public claims and what became of them, for `check`.
#ifndef GPUADVISE_REPORT_CLAIMS_H
#define GPUADVISE_REPORT_CLAIMS_H

#include "src/advise/check.h"
#include "src/report/report.h"

typedef struct JudgedClaim {
    const PublicClaim *claim;
    ClaimAnswer answer;
} JudgedClaim;

void claim_json(const ClaimAnswer *answer, Json *object);  // verdict, bound, arithmetic, conditions, ...
void claims_json(const JudgedClaim *claims, size_t n, Json *root);
// Text of one claim whose figures the user gave, or of a table of them.
void claim_text(const ClaimAnswer *answer, size_t width, Buf *out);
// table, md, csv
void claims_text(const JudgedClaim *claims, size_t n, Format format, Room room, Arena *a, Buf *out);

#endif
