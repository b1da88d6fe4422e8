-- The times for which observations stood, and the lowest listed price per GPU of each (hearsay aside); as market_history. A shipped
-- price stands until a newer word replaces it, one that was seen until its feed says otherwise: last_seen_at NULL.
SELECT seen_at, last_seen_at, min(CASE WHEN standing <> 'secondary' THEN price_micro_usd_per_hour / coalesce(gpu_count, 1.0) END) AS micro_usd_per_gpu_hour,
    sum(standing <> 'secondary') AS offers, count(*) AS observations
FROM offer_seen
WHERE sku_id = :sku_id AND pricing_model = :pricing_model AND (last_seen_at IS NULL OR last_seen_at >= :since)
    AND (:provider IS NULL OR provider = lower(:provider)) AND (:region IS NULL OR instr(lower(region), lower(:region)))
    AND (:gpu_count IS NULL OR abs(gpu_count - :gpu_count) < iif(:gpu_count < 1, 0.005, 1e-6))
GROUP BY seen_at, last_seen_at
UNION ALL
SELECT as_of, CASE WHEN replaced OR standing = 'superseded' THEN as_of END,
    min(CASE WHEN standing <> 'secondary' THEN price_micro_usd_per_hour / coalesce(gpu_count, 1.0) END), sum(standing <> 'secondary'), count(*)
FROM offers
WHERE sku_id = :sku_id AND pricing_model = :pricing_model AND as_of >= :since
    AND (:provider IS NULL OR provider = lower(:provider)) AND (:region IS NULL OR instr(lower(region), lower(:region)))
    AND (:gpu_count IS NULL OR abs(gpu_count - :gpu_count) < iif(:gpu_count < 1, 0.005, 1e-6))
GROUP BY 1, 2;
