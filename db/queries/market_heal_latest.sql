-- The same of its last words, where their date is that of the refresh.
UPDATE offer_latest SET as_of = :today WHERE feed = :feed AND NOT dated AND as_of > :today;
