-- One account there opens one account here. A second one with the same address is somebody else: providers give an
-- address to another person, and a number never (R59, OpenID Connect Core 5.7).
delete from accounts a using accounts b
 where a.user_id = b.user_id and a.provider_id = b.provider_id and (b.created_at, b.id) < (a.created_at, a.id);
create unique index accounts_user_provider on accounts (user_id, provider_id);
drop index accounts_user;
