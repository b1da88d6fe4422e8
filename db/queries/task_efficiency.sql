-- All rows of task_efficiency.
SELECT * FROM task_efficiency;
