// What is claimed of a framework, library, tool or package.
#ifndef GPUADVISE_REPORT_EVIDENCE_H
#define GPUADVISE_REPORT_EVIDENCE_H

#include "src/advise/stack.h"
#include "src/report/browse.h"

typedef struct SubjectEvidence {
    Claim *claims;
    size_t n_claims;
    Library *libraries;
    size_t n_libraries;
    Package *packages;
    size_t n_packages;
    // of one subject: the claims, by platform, the one that wins first; NULL: a listing
    const StackEvidence *judged;
} SubjectEvidence;

// One subject's libraries and packages too (`one`); of a listing the claims alone.
void evidence_json(const SubjectEvidence *x, bool one, Json *root);
void subject_text(const Writer *w, const SubjectEvidence *x);

#endif
