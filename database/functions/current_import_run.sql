-- Returns the import run that owns the current transaction.
create or replace function current_import_run() returns bigint language sql stable as $$
  select nullif(current_setting('app.import_run_id', true), '')::bigint
$$;
