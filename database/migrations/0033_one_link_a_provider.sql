-- One provider account opens one account here. Another subject with the same address is another person: providers
-- reassign addresses, but never subjects (OpenID Connect Core 5.7).
delete from accounts a using accounts b
 where a.user_id = b.user_id and a.provider_id = b.provider_id and (b.created_at, b.id) < (a.created_at, a.id);
create unique index accounts_user_provider on accounts (user_id, provider_id);
drop index accounts_user;
