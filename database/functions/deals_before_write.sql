create or replace function deals_before_write() returns trigger language plpgsql as $$
begin
  new.is_expired := coalesce(new.expires_at <= now(), false);
  -- Visitors see only prices in the site's currency, and no deal becomes live while the currency
  -- changes.
  if new.waits_for_price and new.currency = live_currency() then
    new.is_active := true;
    new.waits_for_price := false;
  elsif new.is_active and (tg_op = 'INSERT' or not old.is_active or new.currency <> old.currency)
      and new.currency is distinct from live_currency() then
    new.is_active := false;
    new.waits_for_price := true;
  end if;
  if tg_op = 'INSERT' then return new; end if;
  if new.currency <> old.currency then
    new.price_since := now();
    new.currency_since := now();
    new.low_30_before := null;
    new.reference_price := null;
    if new.held_price is not distinct from old.held_price then new.held_price := null; new.held_at := null; end if;
    new.refused_price := null;
    if new.shipping_cost is not distinct from old.shipping_cost then new.shipping_cost := null; end if;
  elsif new.sale_price <> old.sale_price then
    new.price_since := now();
    new.low_30_before := lowest_price_before(new.id, now());
  end if;
  -- A link to a product by GTIN is removed with the GTIN. A link that staff confirmed is removed
  -- only if another GTIN replaces the former one.
  if new.gtin is distinct from old.gtin
      and (not new.product_confirmed or (old.gtin is not null and new.gtin is not null)) then
    new.product_id := null;
  end if;
  if new.product_id is null then new.product_confirmed := false; end if;
  if new.slug <> old.slug then
    delete from slug_redirects where kind = 'deal' and slug = new.slug;
    insert into slug_redirects (kind, slug, target_id) values ('deal', old.slug, new.id)
      on conflict (kind, slug) do update set target_id = excluded.target_id;
  end if;
  return new;
end $$;
