-- Which last words of feeds a newer word replaces: those of the providers that feed :feed speaks of (NULL: all). A word is
-- replaced when
--   - a newer listed price of the same kind exists (hearsay is replaced by newer hearsay too, a listed price never), not
--     counting other instances that its own feed has beside it, or
--   - it names no region, and a newer list price per GPU without a region exists, or
--   - the provider's own feed says something of the same kind on the same date, or
--   - it left its feed, which still has others of its kind.
UPDATE offer_latest AS o SET replaced = standing <> 'superseded' AND (
    EXISTS (
        SELECT 1 FROM offer_latest
        WHERE (provider, thing, pricing_model, region, gpu_count)
            IS (o.provider, o.thing, o.pricing_model, o.region, o.gpu_count)
            AND as_of > o.as_of AND standing IN ('listed', o.standing) AND (feed <> o.feed OR o.gone))
    OR feed <> provider AND EXISTS (
        SELECT 1 FROM offer_latest
        WHERE (provider, thing, pricing_model, region, gpu_count)
            IS (o.provider, o.thing, o.pricing_model, o.region, o.gpu_count)
            AND as_of = o.as_of AND standing IN ('listed', o.standing) AND feed = provider)
    OR gone AND EXISTS (
        SELECT 1 FROM offer_latest
        WHERE (provider, thing, pricing_model, region, gpu_count)
            IS (o.provider, o.thing, o.pricing_model, o.region, o.gpu_count)
            AND feed = o.feed AND NOT gone)
    OR EXISTS (
        SELECT 1 FROM offers
        WHERE (provider, thing, pricing_model, region, gpu_count)
            IS (o.provider, o.thing, o.pricing_model, o.region, o.gpu_count)
            AND as_of > o.as_of AND standing IN ('listed', o.standing))
    OR region IS NULL AND gpu_count IS NOT NULL AND (
        EXISTS (
            SELECT 1 FROM offer_latest
            WHERE (provider, thing, pricing_model, region, gpu_count) IS (o.provider, o.thing, o.pricing_model, NULL, NULL)
                AND as_of > o.as_of AND standing = 'listed')
        OR EXISTS (
            SELECT 1 FROM offers
            WHERE (provider, thing, pricing_model, region, gpu_count) IS (o.provider, o.thing, o.pricing_model, NULL, NULL)
                AND as_of > o.as_of AND standing = 'listed')))
WHERE :feed IS NULL OR provider IN (SELECT provider FROM feed_provider WHERE feed = :feed);
