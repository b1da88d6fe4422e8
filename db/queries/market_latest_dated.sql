-- An offer was seen again.
UPDATE offer_latest SET as_of = :as_of, dated = :dated, machines_seen = :machines_seen, hosts_seen = :hosts_seen WHERE id = :id;
