-- Published measurements of token serving of one model whose conditions are known.
SELECT * FROM measurements WHERE model = :model AND task = 'serving' AND grade IN ('A', 'B') ORDER BY id;
