-- Links that act for their recipient are now created when their email is sent. Removes links stored in earlier
-- emails; waiting emails get new ones.
update mail_outbox set payload = payload - 'path'
 where kind in ('verify-email', 'reset-password') and payload ? 'path';
