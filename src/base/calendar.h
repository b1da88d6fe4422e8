// Units of time, written once: a year has 365 days and a month is a twelfth of it.
#ifndef GPUADVISE_CALENDAR_H
#define GPUADVISE_CALENDAR_H

enum { HOUR_S = 3600, DAY_S = 24 * HOUR_S, DAYS_A_YEAR = 365, MONTHS_A_YEAR = 12 };

#define HOURS_A_YEAR (24.0 * DAYS_A_YEAR)
#define HOURS_A_MONTH (HOURS_A_YEAR / MONTHS_A_YEAR)  // 730
#define DAYS_A_MONTH ((double)DAYS_A_YEAR / MONTHS_A_YEAR)
#define WEEKS_A_MONTH (DAYS_A_MONTH / 7)

#endif
