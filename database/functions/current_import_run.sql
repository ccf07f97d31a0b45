-- The run that writes, told by the transaction it writes in.
create or replace function current_import_run() returns bigint language sql stable as $$
  select nullif(current_setting('app.import_run_id', true), '')::bigint
$$;
