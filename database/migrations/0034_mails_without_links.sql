-- Links that act for their recipient are made when their mail leaves (R60). Those of mails from before lie here no more:
-- a mail that still waits gets a new one.
update mail_outbox set payload = payload - 'path'
 where kind in ('verify-email', 'reset-password') and payload ? 'path';
