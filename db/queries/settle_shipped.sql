-- Which shipped offers something seen since replaces (on the same date what was seen wins): those of the providers that feed
-- :feed speaks of (NULL: all). Shipped offers were judged among themselves by settle_offers.
UPDATE offers AS o SET replaced = standing <> 'superseded' AND (
    EXISTS (
        SELECT 1 FROM offer_latest
        WHERE (provider, thing, pricing_model, region, gpu_count)
            IS (o.provider, o.thing, o.pricing_model, o.region, o.gpu_count)
            AND as_of >= o.as_of AND standing IN ('listed', o.standing))
    OR region IS NULL AND gpu_count IS NOT NULL AND EXISTS (
        SELECT 1 FROM offer_latest
        WHERE (provider, thing, pricing_model, region, gpu_count) IS (o.provider, o.thing, o.pricing_model, NULL, NULL)
            AND as_of > o.as_of AND standing = 'listed'))
WHERE :feed IS NULL OR provider IN (SELECT provider FROM feed_provider WHERE feed = :feed);
