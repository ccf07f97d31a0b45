import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';

/**
 * Everything the site keeps of a person, field by field; no hash, no token (R45). Prices are cents. What belongs to the
 * address is not in it before the address was proved to be theirs (R59).
 */
export async function exportAccount(db: Db, userId: string): Promise<object> {
  const account = await db
    .selectFrom('users')
    .select(['id', 'email', 'full_name', 'role', 'email_verified', 'two_factor_enabled'])
    .select(['remind_before_expiry', 'disconnected_providers', 'created_at', 'updated_at'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  const isProved = account.email_verified;
  const [
    sessions,
    passkeys,
    sign_in_providers,
    favorites,
    price_alerts,
    notified_browsers,
    newsletter,
    messages,
    mails,
  ] = await Promise.all([
    db
      .selectFrom('sessions')
      .select(['ip_address', 'user_agent', 'created_at', 'updated_at', 'expires_at'])
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .execute(),
    db
      .selectFrom('passkeys')
      .select(['name', 'created_at', 'last_used_at'])
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .execute(),
    db
      .selectFrom('accounts')
      .select(['provider_id as provider', 'account_id as number_there', 'created_at'])
      .where('user_id', '=', userId)
      .where('provider_id', '<>', 'credential')
      .orderBy('created_at')
      .execute(),
    db
      .selectFrom('user_favorites as f')
      .innerJoin('deals as d', 'd.id', 'f.deal_id')
      .select(['d.title', 'd.slug', 'f.created_at'])
      .where('f.user_id', '=', userId)
      .orderBy('f.created_at')
      .execute(),
    db
      .selectFrom('price_alerts as a')
      .innerJoin('deals as d', 'd.id', 'a.deal_id')
      .select(['d.title', 'd.slug', 'a.kind', 'a.target_price', 'a.target_percent'])
      .select(['a.is_active', 'a.fired_at', 'a.fired_price', 'a.created_at'])
      .where('a.user_id', '=', userId)
      .orderBy('a.created_at')
      .execute(),
    db
      .selectFrom('push_subscriptions')
      .select(['user_agent', 'created_at'])
      // Whoever knows the whole address may write to the browser.
      .select(sql<string>`split_part(endpoint, '/', 3)`.as('push_service'))
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .execute(),
    isProved
      ? db
          .selectFrom('newsletter_subscriptions')
          .select(['email', 'is_active', 'subscribed_at', 'unsubscribed_at', 'confirmed_at'])
          .where(sql`lower(email)`, '=', account.email)
          .execute()
      : [],
    isProved
      ? db
          .selectFrom('contact_messages')
          .select(['name', 'email', 'subject', 'message', 'created_at'])
          .where(sql`lower(email)`, '=', account.email)
          .orderBy('id')
          .execute()
      : [],
    isProved
      ? db
          .selectFrom('mail_outbox')
          .select(['kind', 'state', 'created_at', 'sent_at'])
          .where('user_id', '=', userId)
          .orderBy('created_at')
          .execute()
      : [],
  ]);
  return {
    ...(!isProved && {
      left_out: 'Your newsletter, messages and mails, until your email address is verified.',
    }),
    account,
    sessions,
    passkeys,
    sign_in_providers,
    favorites,
    price_alerts,
    notified_browsers,
    newsletter,
    messages,
    mails,
  };
}
