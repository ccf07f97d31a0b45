-- Affiliate links contain a code that identifies the deal, so that sales in the network's reports can be matched.
-- `auto` recognizes the network by the link.
alter table merchants add column sub_id_network text not null default 'auto'
  check (sub_id_network in ('auto', 'off', 'awin', 'cj', 'rakuten', 'impact', 'shareasale', 'tradedoubler', 'admitad'));
