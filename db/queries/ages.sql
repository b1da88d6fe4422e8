-- Shipped rows of every table of facts with their newest and oldest date; rows of the user's own say nothing of their age.
SELECT 'gpus' AS name, count(*) AS rows, max(as_of) AS newest, min(as_of) AS oldest FROM gpus WHERE source NOT LIKE 'own: %'
UNION ALL SELECT 'device_ids', count(*), max(as_of), min(as_of) FROM device_ids
UNION ALL SELECT 'models', count(*), max(as_of), min(as_of) FROM models WHERE source NOT LIKE 'own: %'
UNION ALL SELECT 'traffic', count(*), max(as_of), min(as_of) FROM traffic WHERE source NOT LIKE 'own: %'
UNION ALL SELECT 'workloads', count(*), max(as_of), min(as_of) FROM workloads WHERE source NOT LIKE 'own: %'
UNION ALL SELECT 'offers', count(*), max(as_of), min(as_of) FROM offers
UNION ALL SELECT 'support', count(*), max(as_of), min(as_of) FROM support WHERE source NOT LIKE 'own: %'
UNION ALL SELECT 'libraries', count(*), max(as_of), min(as_of) FROM libraries
UNION ALL SELECT 'packages', count(*), max(as_of), min(as_of) FROM packages
UNION ALL SELECT 'engines', count(*), max(as_of), min(as_of) FROM engines
UNION ALL SELECT 'engine_limits', count(*), max(as_of), min(as_of) FROM engine_limits
UNION ALL SELECT 'precisions', count(*), max(as_of), min(as_of) FROM precisions
UNION ALL SELECT 'efficiency', count(*), max(as_of), min(as_of) FROM efficiency
UNION ALL SELECT 'task_efficiency', count(*), max(as_of), min(as_of) FROM task_efficiency
UNION ALL SELECT 'hpc_cases', count(*), max(as_of), min(as_of) FROM hpc_cases
UNION ALL SELECT 'constants', count(*), max(as_of), min(as_of) FROM constants
UNION ALL SELECT 'measurements', count(*), max(as_of), min(as_of) FROM measurements
UNION ALL SELECT 'cuda_constructs', count(*), max(as_of), min(as_of) FROM cuda_constructs
UNION ALL SELECT 'ports', count(*), max(as_of), min(as_of) FROM ports
UNION ALL SELECT 'effort_factors', count(*), max(as_of), min(as_of) FROM effort_factors
UNION ALL SELECT 'regions', count(*), max(as_of), min(as_of) FROM regions
UNION ALL SELECT 'sellers', count(*), max(as_of), min(as_of) FROM sellers
UNION ALL SELECT 'seller_classes', count(*), max(as_of), min(as_of) FROM seller_classes
UNION ALL SELECT 'price_moves', count(*), max(as_of), min(as_of) FROM price_moves
UNION ALL SELECT 'checkpoints', count(*), max(as_of), min(as_of) FROM checkpoints;
