drop trigger price_proofs_stand on price_proofs;
alter table price_proofs drop column below_usual, drop column lower_until, drop column higher_until;
drop index merchants_unlogged, merchants_hiding;
