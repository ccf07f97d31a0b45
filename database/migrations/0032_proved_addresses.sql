-- Anyone can sign up with another person's address. Until it is verified, an account has no sign-in method except its
-- password, and no API key, notified browser or role. The first verification removes everything set up before.

-- Keeps roles that were given on the server, and the owner. Removes other roles.
update users u set email_verified = true
 where u.role <> 'user' and not u.email_verified
   and (exists (select from audit_log a where a.action = 'user.role' and a.entity_id = u.id and a.actor in ('cli', 'setup'))
     or u.role = 'super_admin' and not exists (select from users o where o.role = 'super_admin' and o.email_verified));
insert into audit_log (actor, action, entity, entity_id, before, after)
  select 'system', 'user.role', 'user', id, jsonb_build_object('role', role), jsonb_build_object('role', 'user')
    from users where role <> 'user' and not email_verified;
update api_keys set revoked_at = now()
 where revoked_at is null and created_by in (select id from users where not email_verified);
update users set role = 'user', role_version = role_version + 1 where role <> 'user' and not email_verified;
update users set two_factor_enabled = false, disconnected_providers = '{}' where not email_verified;
delete from two_factors where user_id in (select id from users where not email_verified);
delete from backup_codes where user_id in (select id from users where not email_verified);
delete from passkeys where user_id in (select id from users where not email_verified);
delete from push_subscriptions where user_id in (select id from users where not email_verified);
delete from accounts where provider_id <> 'credential' and user_id in (select id from users where not email_verified);

alter table users
  add constraint users_role_needs_proof check (email_verified or role = 'user'),
  add constraint users_second_step_needs_proof check (email_verified or not two_factor_enabled);

create function refuse_unproved() returns trigger language plpgsql as $$
begin
  if not exists (select from users where id = new.user_id and email_verified) then
    raise exception '% needs a proved address', tg_table_name using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger passkeys_need_proof before insert on passkeys for each row execute function refuse_unproved();
create trigger two_factors_need_proof before insert on two_factors for each row execute function refuse_unproved();
create trigger push_subscriptions_need_proof before insert on push_subscriptions for each row execute function refuse_unproved();
create trigger provider_links_need_proof before insert on accounts for each row
  when (new.provider_id <> 'credential') execute function refuse_unproved();

-- Runs however the address was verified (link, reset, provider or command line), because a stranger may have used the
-- account before.
create function users_first_proof() returns trigger language plpgsql as $$
begin
  delete from sessions where user_id = new.id;
  delete from passkeys where user_id = new.id;
  delete from two_factors where user_id = new.id;
  delete from backup_codes where user_id = new.id;
  delete from push_subscriptions where user_id = new.id;
  delete from accounts where user_id = new.id and provider_id <> 'credential';
  delete from verifications where value = new.id;
  update api_keys set revoked_at = now() where created_by = new.id and revoked_at is null;
  new.two_factor_enabled := false;
  new.disconnected_providers := '{}';
  return new;
end $$;
create trigger users_first_proof before update of email_verified on users for each row
  when (new.email_verified and not old.email_verified) execute function users_first_proof();
