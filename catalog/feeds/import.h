// What the files of `prices import` share: a row as a file states it, and what columns and words of others
// mean.
#ifndef GPUADVISE_CATALOG_FEEDS_IMPORT_H
#define GPUADVISE_CATALOG_FEEDS_IMPORT_H

#include "catalog/feeds/feed.h"
#include "catalog/market/market_store.h"

typedef enum ImportColumn {
    I_PROVIDER,
    I_INSTANCE,
    I_REGION,
    I_COUNTRY,
    I_GPU,
    I_LISTED,
    I_FORM,
    I_COUNT,
    I_MEMORY,
    I_VCPUS,
    I_RAM,
    I_RAM_GIB,
    I_PRICING,
    I_IS_SPOT,
    I_PRICE,      // of the whole instance
    I_PRICE_GPU,  // of one GPU
    I_PRICE_ANY,  // of either: the column's name does not tell
    I_SPOT_ANY,   // the same, spot
    I_TYPICAL,    // of either, and only a median or a mean of what is asked
    I_CURRENCY,
    I_AVAILABLE,
    I_STANDING,
    I_CLASS,
    I_MACHINES,
    I_HOSTS,
    I_BY_GPU,
    I_OS,
    I_EFFECTIVE,
    I_AS_OF,
    I_SOURCE,
    I_COLUMNS
} ImportColumn;

// The column that a file's own name means (case, blanks, '_' and '-' do not count); -1: none that is read. A
// name such as "eur_per_hour" tells the currency too: ret_currency, else "".
int import_column(Str name, char ret_currency[4]);

// What a word such as "12mo", "secure" or "PAYG" says of the pricing model.
typedef struct ImportPricing {
    PricingModel model;
    const char *why;  // why such a price is no offer; NULL: it may be one
    // the word also tells a part of the provider's offers, as RunPod's "secure" and "community"
    bool tier;
} ImportPricing;
bool import_pricing(const char *word, ImportPricing *ret_pricing);  // false: says nothing

const char *import_own_name(int column);  // as this project calls it

// A class of sellers, as seller_class_names spells it; case, blanks, '_' and '-' do not count.
bool import_seller_class(const char *word, SellerClass *ret_class);  // false: none of them

// "aws_ec2_on_demand": the length of what stands before a pricing model at the end; 0: there is none.
size_t import_pricing_suffix(Str name, const char **ret_word);

bool import_is_average(const char *provider);  // "neocloud", "average": many sellers, none in particular

typedef struct ImportRow {
    const char *text[I_COLUMNS];  // "" = not given
} ImportRow;

// A file on its way in.
typedef struct ImportFile {
    Market *market;
    MarketRefresh *refresh;
    ImportAsked asked;
    bool has[I_COLUMNS];   // columns that the file has
    PriceOf price_of;      // what I_PRICE_ANY and I_SPOT_ANY are of
    char currency[4];      // that a column's name tells; "" none
    bool must_say;         // it failed for want of a word of the user's
    bool *told;            // which of asked.columns the file has
    Arena arena;           // of what follows
    const char **ignored;  // columns that are not read
    size_t n_ignored, ignored_capacity;
} ImportFile;

// ---- import_column.c
enum { IMPORT_IGNORE = -2 };  // the user says that the column does not count
// Checks what the user says of columns.
bool import_columns_check(ImportFile *f, Err *e);
bool import_columns_found(ImportFile *f, Err *e);  // when all is read: the file has each of them
// The column that a name means: as the user says, else as import_column.
int import_column_of(ImportFile *f, Str name, char ret_currency[4]);
// Fills a row's cell, where an earlier column of the same meaning left it open. Pricing models of several
// columns ("reserved" and "3 years") stand together, one a line. False: not taken.
bool import_cell(ImportRow *row, int column, Str name, Str cell, Arena *a);
// Notes that a column is not read.
void import_ignored(ImportFile *f, Str name);
// What is not read must not tell how a price is had, unless the row's own columns say the same: notes the
// first cell of a row that does.
typedef struct ImportUnread {
    const char *name, *text;  // "" none, in the arena that was given
    GateSaid said;
} ImportUnread;
// name: the column's, or of a member within it
void import_unread(ImportFile *f, Str column, Str name, Str cell, Arena *a, ImportUnread *unread);
bool import_unread_check(ImportFile *f, const ImportUnread *unread, const ImportRow *row, const char *where,
                         Err *e);
// The pricing model that the row's columns state, on-demand where none does; false: they cannot be read (the
// row is turned away for it later).
bool import_row_model(const ImportRow *row, PricingModel *ret_model);

// When all columns are known: settles price_of, or refuses a file without prices or without GPUs.
bool import_begin(ImportFile *f, Err *e);
// Takes, holds or rejects what a row states: an on-demand price, a spot price, or both. Fails when the price
// may be of the instance or of one GPU.
bool import_row(ImportFile *f, const ImportRow *row, const char *where, Err *e);

// What a feed's own server answers, taken by that feed's parser (catalog/feeds/import_answer.c). ret_taken false:
// it is no such answer.
bool import_csv_answer(MarketRefresh *r, const ImportAsked *asked, Str text, bool *ret_taken, Err *e);
bool import_json_answer(MarketRefresh *r, const ImportAsked *asked, Str text, const Json *root,
                        bool *ret_taken, Err *e);

#endif
