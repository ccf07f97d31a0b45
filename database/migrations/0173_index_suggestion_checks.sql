-- Deals that are queued several times for suggestions are compared once.
create index suggestion_checks_deal on suggestion_checks (deal_id);
