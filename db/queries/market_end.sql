-- An observation stands no longer.
UPDATE offer_seen SET last_seen_at = :at WHERE id = :id AND last_seen_at IS NULL;
