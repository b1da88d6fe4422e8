-- Marks shipped offers that a newer shipped one replaces: the rules of settle_seen.sql for a
-- fact among facts. Run once after loading.
UPDATE offers AS o SET standing = 'superseded'
WHERE standing <> 'superseded' AND (
    EXISTS (
        SELECT 1 FROM offers
        WHERE (provider, thing, pricing_model, region, gpu_count)
            IS (o.provider, o.thing, o.pricing_model, o.region, o.gpu_count)
            AND as_of > o.as_of AND standing IN ('listed', o.standing))
    OR region IS NULL AND gpu_count IS NOT NULL AND EXISTS (
        SELECT 1 FROM offers
        WHERE (provider, thing, pricing_model, region, gpu_count) IS (o.provider, o.thing, o.pricing_model, NULL, NULL)
            AND as_of > o.as_of AND standing = 'listed'));
