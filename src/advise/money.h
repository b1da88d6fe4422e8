// Inside of src/advise: units of money over time.
#ifndef GPUADVISE_ADVISE_MONEY_H
#define GPUADVISE_ADVISE_MONEY_H

#define HOURS_A_MONTH 730.0  // 365 x 24 / 12

#endif
