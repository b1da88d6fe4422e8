-- Notes why a row of the user's own is not among the facts (NULL: it is).
UPDATE own_fact SET left_out = :left_out WHERE id = :id;
