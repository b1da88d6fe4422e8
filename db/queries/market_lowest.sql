-- What each provider asks at least for a whole GPU, at each pricing model, as far as public sources say: the user's own lists aside.
SELECT sku_id, pricing_model, provider, min(price_micro_usd_per_hour / coalesce(gpu_count, 1)) AS micro_usd_per_gpu_hour
FROM offer_current
WHERE sku_id IS NOT NULL AND coalesce(gpu_count, 1) >= 1 AND standing <> 'superseded' AND available <> 'no'
    AND (feed IS NULL OR feed NOT IN (SELECT feed FROM feed_state WHERE private))
GROUP BY sku_id, pricing_model, provider;
