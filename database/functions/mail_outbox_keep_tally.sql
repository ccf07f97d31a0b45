-- Adds deleted emails to their newsletter's statistics. Emails are deleted when they are old, or when their recipient is erased.
create or replace function mail_outbox_keep_tally() returns trigger language plpgsql as $$
begin
  update newsletters n set
    past_sent = past_sent + t.sent, past_failed = past_failed + t.failed, past_skipped = past_skipped + t.skipped,
    past_sent_a = past_sent_a + t.sent_a, past_sent_b = past_sent_b + t.sent_b
  from (
    select (payload ->> 'newsletterId')::bigint as id,
           count(*) filter (where state = 'sent') as sent,
           count(*) filter (where state = 'sent' and payload ->> 'variant' = 'a') as sent_a,
           count(*) filter (where state = 'sent' and payload ->> 'variant' = 'b') as sent_b,
           count(*) filter (where state in ('failed', 'kept') or (state = 'cancelled' and last_error is not null)) as failed,
           count(*) filter (where state = 'cancelled' and last_error is null) as skipped
      from gone where kind = 'newsletter' and state <> 'queued'
     group by 1) t
  where n.id = t.id;
  return null;
end $$;
