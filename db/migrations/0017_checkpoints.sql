-- Facts: checkpoints of a model in other precisions than the one that models.weights_native says.
CREATE TABLE checkpoints (
    model_id TEXT NOT NULL,  -- as in models
    weights TEXT NOT NULL,  -- dtype of the weights
    hf_name TEXT NOT NULL,  -- where it is published
    maker TEXT NOT NULL,  -- owner: whoever released the model; third-party
    source TEXT NOT NULL,  -- where the row was read
    as_of TEXT NOT NULL,  -- date it speaks of
    PRIMARY KEY (model_id, weights, hf_name)
) STRICT;
