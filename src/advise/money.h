// Inside of src/advise: units of money over time.
#ifndef GPUADVISE_ADVISE_MONEY_H
#define GPUADVISE_ADVISE_MONEY_H

#endif
