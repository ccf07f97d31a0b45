create or replace function refuse_unproved() returns trigger language plpgsql as $$
begin
  if not exists (select from users where id = new.user_id and email_verified) then
    raise exception '% needs a proved address', tg_table_name using errcode = 'check_violation';
  end if;
  return new;
end $$;
