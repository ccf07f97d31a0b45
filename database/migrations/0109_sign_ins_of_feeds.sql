-- Feeds can require a user name and password, a token or a private key. These secrets are encrypted with the site's
-- own key.
alter table feed_sources
  add column user_name text,
  add column secret_kind text check (secret_kind in ('password', 'token', 'private_key')),
  add column sealed_secret bytea,
  -- The SFTP server's key from the first connection, as SHA256:…
  add column host_key text,
  add constraint feed_sources_secret check ((secret_kind is null) = (sealed_secret is null));
