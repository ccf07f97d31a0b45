create or replace function merchants_date_reply() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.check_replied_at := case when new.check_reply is not null then coalesce(new.check_replied_at, now()) end;
  elsif new.check_reply is distinct from old.check_reply then
    new.check_replied_at := case when new.check_reply is not null then now() end;
  end if;
  return new;
end $$;
