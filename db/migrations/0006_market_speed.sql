-- Histories of a million observations, and price lists that are nobody else's business.

-- Prices of one GPU over time, answered from the index alone.
DROP INDEX offer_seen_gpu;
CREATE INDEX offer_seen_gpu ON offer_seen (sku_id, pricing_model, seen_at, last_seen_at, provider, region, gpu_count,
    price_micro_usd_per_hour, standing);

-- A list of the user's own: quotes, contracts, internal prices. They are left out of snapshots unless asked for.
ALTER TABLE feed_state ADD COLUMN private INTEGER NOT NULL DEFAULT 0;  -- 1: a list of the user's own
UPDATE feed_state SET private = 1 WHERE feed NOT IN ('azure', 'aws', 'oci', 'vultr', 'runpod', 'vast', 'cloudrift', 'gpuhunt', 'skypilot',
    'gpurentalprices', 'digitalocean', 'hotaisle', 'lambda', 'shadeform', 'hyperstack');
