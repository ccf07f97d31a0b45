-- Every two seconds, each process checks for waiting rollbacks among finished runs, which are never deleted.
create index import_runs_to_roll_back on import_runs (id)
  where rolled_back_by is not null and state not in ('queued', 'running', 'rolled_back');
