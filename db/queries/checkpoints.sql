-- Checkpoints of models in other precisions than the released one.
SELECT * FROM checkpoints;
