-- Arms an alert: later drops are measured from the current price. Locks the deal against a
-- concurrent price change: either that change sees this alert, or this function sees the new price.
-- Runs for armed alerts. Also re-arms an alert that becomes repeating, or a repeating one whose
-- last firing is revoked. Ignores pending changes of the deal, which are older.
create or replace function price_alerts_before_write() returns trigger language plpgsql as $$
declare present integer; unit text;
begin
  if tg_op = 'INSERT' or not old.is_active or new.kind <> old.kind or new.repeats <> old.repeats or new.currency <> old.currency
      or (old.fired_at is not null and new.fired_at is null)
      or new.target_percent is distinct from old.target_percent or new.target_price is distinct from old.target_price then
    select sale_price, currency into present, unit from deals where id = new.deal_id for share;
    -- An alert keeps the currency in which it was set. If there is no price in that currency yet,
    -- drops are measured from the first one.
    if tg_op = 'UPDATE' or new.base_price is null then new.base_price := case when unit = new.currency then present end; end if;
    new.seen_check := (select max(id) from alert_checks where deal_id = new.deal_id);
    new.fired_at := null;
    new.fired_price := null;
    if tg_op = 'UPDATE' and new.currency <> old.currency or unit = new.currency and present > new.last_mailed_price then
      new.last_mailed_price := null; -- The earlier drop has ended.
    end if;
  end if;
  return new;
end $$;
