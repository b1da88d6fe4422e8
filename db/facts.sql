-- What the tables of facts have beside the columns of their files; run when they have just been made, in the same transaction.

ALTER TABLE offers ADD COLUMN replaced INTEGER NOT NULL DEFAULT 0;  -- 1: a newer word on its kind was seen (queries/settle_seen.sql)
ALTER TABLE offers ADD COLUMN thing TEXT GENERATED ALWAYS AS (coalesce(sku_id, listed_name)) VIRTUAL;  -- what is offered

-- Offers of one kind: the newer word on a kind replaces the older one, whatever the instance is called.
CREATE INDEX offers_kind ON offers (provider, thing, pricing_model, region, gpu_count, as_of, standing);
CREATE INDEX offers_sku ON offers (sku_id);
