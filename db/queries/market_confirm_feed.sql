-- A feed said that nothing changed.
UPDATE feed_state SET attempted_at = :now, confirmed_at = :now, error = NULL WHERE feed = :feed AND accepted_at IS NOT NULL;
