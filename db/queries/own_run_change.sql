-- Other words on a run that is kept already.
UPDATE own_run SET content = :content WHERE id = :id;
