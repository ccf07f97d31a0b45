import { type RawBuilder, sql } from 'kysely';
import { sentByChannel } from '#app/features/price-alerts/goes-to.ts';
import {
  findFiredOfDay,
  findFiredTogether,
} from '#app/features/price-alerts/fired-alert-queries.server.ts';
import type { Verdict } from '#app/platform/deliver-outbox.server.ts';
import type { OutboxMail } from '#app/platform/mail/mail-kind.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { GoesTo } from '#database/schema/alert-tables.ts';

/** seconds between checks of the messages that an email waits for */
const lookAgainSeconds = 3600;

interface Given {
  is_instead: boolean;
  state: string;
}

/** The stored data of the emails that channels may get. */
export type AlertMail = OutboxMail<{
  alertId?: number;
  eventId?: number;
  day?: string;
  searchId?: number;
  mail?: number;
  couponIds?: number[];
}>;

/**
 * Passes a due email about an alert or a watched search to its owner's channels. Returns `null` if
 * the email is sent as well, or a verdict if it waits. A waiting email is canceled once one of its
 * messages is sent, and sent once none is queued any longer.
 */
export async function handOverMail(db: Db, mail: AlertMail): Promise<Verdict | null> {
  if (mail.user_id === null || !readersOf[mail.kind]) return null;
  const earlier = await ask(db).rows<Given>`
    select is_instead, state from alert_messages where mail_id = ${mail.id}`;
  // An email that was tried before may have arrived.
  const isUntried = earlier.length === 0 && mail.last_error === null;
  const given = isUntried ? await give(db, mail, mail.user_id) : earlier;
  const instead = given.filter(({ is_instead }) => is_instead);
  if (instead.some(({ state }) => state === 'sent')) {
    return { state: 'cancelled', words: sentByChannel };
  }
  if (instead.every(({ state }) => state !== 'queued')) return null;
  // The hours of retries begin when the email itself is tried. A message may have canceled the
  // email in the meantime.
  await ask(db).rows`
    update mail_outbox set trying_since = now(), last_error = 'waits for the messages to own channels'
     where id = ${mail.id} and state = 'queued'`;
  return { state: 'later', atLeastSeconds: lookAgainSeconds };
}

async function give(db: Db, mail: AlertMail, userId: string): Promise<Given[]> {
  const hasChannel = await ask(db).row`
    select from alert_channels where user_id = ${userId} and proved_at is not null and stopped_at is null limit 1`;
  const wishes = hasChannel ? ((await readersOf[mail.kind]?.(db, mail, userId)) ?? []) : [];
  if (wishes.every((wish) => wish === 'mail')) return [];
  const isInstead = wishes.every((wish) => wish === 'channels');
  return ask(db).rows<Given>`
    insert into alert_messages (channel_id, mail_id, is_instead)
      select c.id, ${mail.id}::bigint, ${isInstead}::boolean
        from alert_channels c join users u on u.id = c.user_id
       where c.user_id = ${userId} and c.proved_at is not null and c.stopped_at is null
         and u.suspended_at is null and u.email_verified
         for share of c
    on conflict do nothing returning is_instead, state`;
}

/** Reads the choices of the alerts or the search that an email is about, by its kind. */
const readersOf: Readonly<
  Record<string, (db: Db, mail: AlertMail, userId: string) => Promise<GoesTo[]>>
> = {
  async 'price-alert'(db, { payload }) {
    const fired = await findFiredTogether(db, payload.eventId ?? 0);
    return fired.map(({ goesTo }) => goesTo);
  },
  async 'price-alert-digest'(db, { payload }, userId) {
    const fired = await findFiredOfDay(db, { userId }, payload.day ?? '1970-01-01');
    return fired.map(({ goesTo }) => goesTo);
  },
  'price-alert-test': (db, { payload }) =>
    readChoice(db, sql`price_alerts where id = ${payload.alertId ?? 0}`),
  'search-news': (db, { payload }) =>
    readChoice(db, sql`watched_searches where id = ${payload.searchId ?? 0}`),
};

async function readChoice(db: Db, from: RawBuilder<unknown>): Promise<GoesTo[]> {
  const goesTo = await ask(db).value<GoesTo>`select goes_to from ${from}`;
  return goesTo === null ? [] : [goesTo];
}
