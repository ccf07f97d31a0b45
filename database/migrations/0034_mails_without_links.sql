-- Links that act for their recipient are created when their email is sent. Those of earlier emails are removed, and a
-- waiting email gets a new one.
update mail_outbox set payload = payload - 'path'
 where kind in ('verify-email', 'reset-password') and payload ? 'path';
