-- Every two seconds each process asks whether a rollback waits (decision 095), and finished runs are kept for good.
create index import_runs_to_roll_back on import_runs (id)
  where rolled_back_by is not null and state not in ('queued', 'running', 'rolled_back');
