-- The seller type of deals that a merchant's feed adds. Until now, imports guessed it from the merchant's name.
alter table merchants
  add column seller_type text not null default 'third_party' check (seller_type in ('amazon', 'third_party'));
update merchants set seller_type = 'amazon' where name ~* '^amazon\M';
