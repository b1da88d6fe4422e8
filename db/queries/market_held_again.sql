-- A held row was there again.
UPDATE offer_held SET last_seen_at = :now, reason = :reason, refresh = :refresh, before_micro_usd_per_hour = :before, as_of = :as_of,
    machines_seen = :machines_seen, hosts_seen = :hosts_seen
WHERE id = :id;
