-- Removes earlier sign-in methods when the email is first verified, because earlier users of the
-- account may be strangers. Emails are verified by link, password reset, provider or command line.
create or replace function users_first_proof() returns trigger language plpgsql as $$
begin
  delete from sessions where user_id = new.id;
  delete from passkeys where user_id = new.id;
  delete from two_factors where user_id = new.id;
  delete from backup_codes where user_id = new.id;
  delete from push_subscriptions where user_id = new.id;
  delete from alert_channels where user_id = new.id;
  delete from accounts where user_id = new.id and provider_id <> 'credential';
  delete from verifications where value = new.id;
  update api_keys set revoked_at = now() where created_by = new.id and revoked_at is null;
  new.two_factor_enabled := false;
  new.disconnected_providers := '{}';
  return new;
end $$;
