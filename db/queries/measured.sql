-- Published measurements of token serving that say output tokens/s.
SELECT id, gpu_sku, gpu_count, model, precision_weights, precision_kv, engine, scenario, grade, input_tokens, output_tokens, batch_or_concurrency,
    rate_rps, tp, pp, ep, dp, draft_tokens, prompt_cached, output_tokens_per_s, date, source, as_of
FROM measurements WHERE task = 'serving' AND output_tokens_per_s > 0 AND grade <> 'D' ORDER BY id;
