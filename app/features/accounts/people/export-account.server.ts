import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';

/**
 * Returns everything stored about a person, except hashes and tokens. Prices are in minor units.
 * Data of the address is left out until the address is verified.
 */
export async function exportAccount(db: Db, userId: string): Promise<object> {
  const account = await db
    .selectFrom('users')
    .select(['id', 'email', 'full_name', 'role', 'email_verified', 'two_factor_enabled'])
    .select(['remind_before_expiry', 'follows_mailed_at', 'disconnected_providers'])
    .select(['created_at', 'updated_at'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  const ofAddress = {
    newsletter: sql`select email, is_active, subscribed_at, unsubscribed_at, confirmed_at,
             array(select name from newsletter_lists l where l.id = any(list_ids) order by l.id) as lists,
             array(select name from categories c where c.id = any(followed_category_ids) order by c.id) as followed_categories,
             array(select name from merchants m where m.id = any(followed_merchant_ids) order by m.id) as followed_stores,
             follows_favorites
      from newsletter_subscriptions where lower(email) = ${account.email}`,
    messages: sql`select name, email, subject, message, created_at,
             (select coalesce(jsonb_agg(jsonb_build_object('answer', a.body, 'created_at', a.created_at) order by a.id), '[]')
                from contact_answers a where a.message_id = m.id) as answers
        from contact_messages m where lower(email) = ${account.email} order by id`,
    invitations: sql`select email, role, created_at, expires_at, outcome
      from staff_invitations where email = ${account.email} order by id`,
    alerts_without_account: sql`select email, created_at from watchers where lower(email) = ${account.email}`,
    alerts_to_confirm: sql`select d.title, d.slug, r.kind, r.target_price, r.target_percent, r.repeats,
             r.search_name, r.search_address, r.cadence, r.confirmed_at, r.created_at
        from watch_requests r left join deals d on d.id = r.deal_id where lower(r.email) = ${account.email} order by r.id`,
    suspended_addresses: sql`select recipient, reason, diagnostic, since, lifted_at
      from mail_suspensions where recipient = ${account.email}`,
    mails: sql`select kind, state, created_at, sent_at
      from mail_outbox where user_id = ${userId} order by created_at`,
  };
  const lists = await Promise.all(
    Object.entries({ ...rowsOfAccount(userId), ...ofAddress }).map(async ([name, query]) => {
      const isLeftOut = name in ofAddress && !account.email_verified;
      return [name, isLeftOut ? [] : (await query.execute(db)).rows];
    }),
  );
  return {
    ...(!account.email_verified && {
      left_out:
        'Your newsletter, messages, invitations and emails, until your email address is verified.',
    }),
    account,
    ...Object.fromEntries(lists),
  };
}

/** Returns the queries for data of the account itself, as opposed to data of its address. */
function rowsOfAccount(userId: string) {
  return {
    sessions: sql`select ip_address, user_agent, created_at, updated_at, expires_at
      from sessions where user_id = ${userId} order by created_at`,
    passkeys: sql`select name, created_at, last_used_at
      from passkeys where user_id = ${userId} order by created_at`,
    sign_in_providers: sql`select provider_id as provider, account_id as number_there, created_at
      from accounts where user_id = ${userId} and provider_id <> 'credential' order by created_at`,
    favorites: sql`select d.title, d.slug, f.created_at
      from user_favorites f join deals d on d.id = f.deal_id where f.user_id = ${userId} order by f.created_at`,
    follows: sql`select m.name as store, c.name as category, f.brand_name as brand, f.created_at
      from follows f left join merchants m on m.id = f.merchant_id left join categories c on c.id = f.category_id
      where f.user_id = ${userId} order by f.id`,
    favorite_lists: sql`select l.name, l.link_hash is not null as is_shared, l.created_at, l.deleted_at,
             (select coalesce(jsonb_agg(jsonb_build_object('title', d.title, 'slug', d.slug) order by i.created_at, d.id), '[]')
                from favorite_list_items i join deals d on d.id = i.deal_id where i.list_id = l.id) as deals
        from favorite_lists l where l.user_id = ${userId} order by l.id`,
    removed_favorites: sql`select d.title, d.slug, r.removed_at
      from removed_favorites r join deals d on d.id = r.deal_id where r.user_id = ${userId} order by r.removed_at`,
    reports: sql`select d.title, d.slug, r.about, r.code_works, r.coupon_code, r.reported_at
      from deal_reports r join deals d on d.id = r.deal_id where r.user_id = ${userId} order by r.reported_at`,
    coupon_reports: sql`select m.name as store, c.code, r.works, r.reported_at
      from coupon_reports r join coupons c on c.id = r.coupon_id join merchants m on m.id = c.merchant_id
      where r.user_id = ${userId} order by r.reported_at`,
    price_alerts: sql`select d.title, d.slug, a.kind, a.target_price, a.currency, a.target_percent, a.repeats, a.goes_to,
             a.is_active, a.fired_at, a.fired_price, a.created_at
        from price_alerts a join deals d on d.id = a.deal_id where a.user_id = ${userId} order by a.created_at`,
    watched_searches: sql`select name, address, max_price, offer_class, cadence, goes_to, is_active, created_at
      from watched_searches where user_id = ${userId} order by id`,
    alert_channels: sql`select kind, place, proved_at, stopped_at, created_at
      from alert_channels where user_id = ${userId} order by id`,
    // Anyone who knows the whole endpoint could push messages to the browser.
    notified_browsers: sql`select user_agent, created_at, split_part(endpoint, '/', 3) as push_service
      from push_subscriptions where user_id = ${userId} order by created_at`,
  };
}
