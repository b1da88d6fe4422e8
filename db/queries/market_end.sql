-- An observation stands no longer.
UPDATE offer_seen SET last_seen_at = :at, ended_at = :now WHERE id = :id AND ended_at IS NULL;
