-- Links to affiliate networks carry a code that names the deal, so that the network's reports can be matched.
-- `auto` recognises the network by the link.
alter table merchants add column sub_id_network text not null default 'auto'
  check (sub_id_network in ('auto', 'off', 'awin', 'cj', 'rakuten', 'impact', 'shareasale', 'tradedoubler', 'admitad'));
