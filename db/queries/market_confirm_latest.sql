-- Everything that stands in a feed is seen again, but for what its last refresh had at a doubtful price.
UPDATE offer_latest AS l SET as_of = :today
WHERE feed = :feed AND NOT dated AND NOT gone AND as_of < :today
    AND NOT EXISTS (
        SELECT 1 FROM offer_held AS h, offer_seen AS s
        WHERE h.feed = l.feed AND h.provider = l.provider AND s.id = l.id AND h.pricing_model = l.pricing_model
            AND (h.refresh = 'feed' OR (h.instance, h.region, h.listed_name, h.gpu_count) IS (s.instance, s.region, s.listed_name, s.gpu_count)));
