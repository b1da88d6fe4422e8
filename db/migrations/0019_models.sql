-- Models with tables that tokens look up and engines keep in host memory.
ALTER TABLE models ADD COLUMN params_lookup REAL;  -- elements, inside params_total
