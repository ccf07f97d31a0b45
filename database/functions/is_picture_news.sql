-- Returns whether to record that a picture is shown: if it is new, has not been shown today, or is due for a check.
create or replace function is_picture_news(address text, may_copy boolean) returns boolean
language sql stable parallel safe
return may_copy and address like 'http%' and not exists (
  select from pictures p where p.source_key = md5(address)::uuid and p.shown_on >= (now() at time zone 'utc')::date
     and (p.due_at is not null or coalesce(p.looked_at > now() - interval '30 days', true)));
