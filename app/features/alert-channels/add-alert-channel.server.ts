import { createHash, randomInt } from 'node:crypto';
import { callChannel, type ChannelFetch } from '#app/features/channels/call-channel.server.ts';
import {
  type ChannelSettings,
  ChannelRefusal,
} from '#app/features/channels/channel-kind.server.ts';
import { findTelegramChat } from '#app/features/channels/kinds/telegram.server.ts';
import { channelKinds } from '#app/features/channels/channel-kinds.server.ts';
import { sealChannelSettings } from '#app/features/channels/channel-settings.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { limit } from '#app/platform/rate-limit.server.ts';
import { SafeFetchError } from '#app/platform/safe-fetch.server.ts';
import { ask } from '#database/ask.ts';
import { alertChannelMessages } from './alert-channel-messages.ts';
import { addressOf, type OwnChannelKind, placeOf, serverOf } from './own-channel-kinds.ts';
import { stopChannelLink } from './stop-channel-link.server.ts';

const mostChannels = 5;
const mostWrongCodes = 5;

export type AddOutcome =
  | { ok: true; id: number }
  | { ok: false; status: 409 | 422 | 429; message: string; retryAfterSeconds?: number };

interface NewChannel {
  userId: string;
  kind: OwnChannelKind;
  settings: ChannelSettings;
}

/**
 * Adds a channel and sends it a code. The channel gets nothing else until the code is entered. The
 * user learns only whether the server was unreachable or refused, and never sees its response.
 */
export async function addAlertChannel(
  services: AppServices,
  added: NewChannel,
  fetch: ChannelFetch = {},
): Promise<AddOutcome> {
  const refused = await refuseByLimit(services, 'alert-channel', added.userId);
  if (refused) return refused;
  try {
    const settings = await completeSettings(services, added, fetch);
    if (!settings) return refuse(422, alertChannelMessages.noChat);
    return await addComplete(services, { ...added, settings }, fetch);
  } catch (error) {
    if (error instanceof ChannelRefusal) return refuse(422, alertChannelMessages.refused);
    if (error instanceof SafeFetchError) return refuse(422, alertChannelMessages.unreachable);
    throw error;
  }
}

const refuse = (status: 409 | 422, message: string) => ({ ok: false, status, message }) as const;

async function refuseByLimit(
  services: AppServices,
  name: 'alert-channel' | 'alert-channel-place',
  key: string,
) {
  const limited = await limit(services, name, key);
  if (limited.ok) return null;
  const { retryAfterSeconds } = limited;
  const message = alertChannelMessages.tooManyCodes;
  return { ok: false, status: 429, message, retryAfterSeconds } as const;
}

/** Adds the chat of a Telegram bot. Returns `null` if the bot has no message from a person. */
async function completeSettings(
  { env }: AppServices,
  { kind, settings }: NewChannel,
  fetch: ChannelFetch,
): Promise<ChannelSettings | null> {
  if (kind !== 'telegram' || settings['chat']) return settings;
  const call = callChannel(env.alertPrivateHosts, settings, fetch, AbortSignal.timeout(15_000));
  const chat = await findTelegramChat(call, settings);
  return chat === null ? null : { ...settings, chat };
}

async function addComplete(
  services: AppServices,
  added: NewChannel,
  fetch: ChannelFetch,
): Promise<AddOutcome> {
  const parts = addressOf(added.kind, added.settings);
  const place = JSON.stringify(parts.map(serverOf));
  const refused = await refuseByLimit(services, 'alert-channel-place', place);
  if (refused) return refused;
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const row = await insertChannel(services, added, { address: JSON.stringify(parts), code });
  if (!row.ok) return row;
  try {
    await sendCode(services, { ...added, id: row.id, code }, fetch);
    return row;
  } catch (error) {
    await services.db.deleteFrom('alert_channels').where('id', '=', row.id).execute();
    throw error;
  }
}

/** An earlier attempt with the same channel is replaced, unless its code was typed. */
async function insertChannel(
  { db }: AppServices,
  { userId, kind, settings }: NewChannel,
  { address, code }: { address: string; code: string },
) {
  // The settings and the code are bound to the id, so the id is needed first.
  const id = Number(
    await ask(db).value`select nextval(pg_get_serial_sequence('alert_channels', 'id'))`,
  );
  const sealed = await sealChannelSettings(db, `alert-${id}`, settings);
  const hash = hashOf(address);
  return db.transaction().execute(async (tx) => {
    await ask(tx).rows`select from users where id = ${userId} for no key update`;
    await ask(tx).rows`
      delete from alert_channels where user_id = ${userId} and place_hash = ${hash} and proved_at is null`;
    const own = await ask(tx).rows<{ place_hash: string }>`
      select place_hash from alert_channels where user_id = ${userId}`;
    if (own.some(({ place_hash }) => place_hash === hash)) {
      return refuse(409, alertChannelMessages.present);
    }
    if (own.length >= mostChannels) return refuse(409, alertChannelMessages.tooMany);
    await ask(tx).rows`
      insert into alert_channels (id, user_id, kind, settings, place, place_hash, code_hash, code_until)
      values (${id}, ${userId}, ${kind}, ${sealed}, ${placeOf(kind, settings)}, ${hash}, ${hashOf(`${id} ${code}`)},
              now() + interval '15 minutes')`;
    return { ok: true, id } as const;
  });
}

async function sendCode(
  services: AppServices,
  { id, kind, settings, code }: NewChannel & { id: number; code: string },
  fetch: ChannelFetch,
): Promise<void> {
  const { db, env, now } = services;
  const { siteName } = await readSiteSettings(db);
  const { escape, post } = channelKinds[kind];
  const link = `${env.origin}/price-alerts`;
  const title = `${siteName}: your code is ${code}`;
  const text = [
    escape(title),
    `Enter it within 15 minutes to get your price alerts here:`,
    link,
    'If you did not request it, stop messages here:',
    await stopChannelLink(services, id),
  ].join('\n');
  const call = callChannel(env.alertPrivateHosts, settings, fetch, AbortSignal.timeout(15_000));
  await post(call, settings, {
    key: `alert-code-${id}`,
    queuedAt: now(),
    text,
    title,
    link,
    isOver: false,
    picture: null,
    replyTo: null,
    parts: {},
  });
}

/**
 * Starts using a channel whose code was typed. Each attempt is counted before it is compared, so
 * that simultaneous guesses count too. After five wrong ones the channel must be added again. A
 * verified channel stays verified, so that the form may be sent twice.
 */
export async function proveAlertChannel(
  { db }: Pick<AppServices, 'db'>,
  userId: string,
  id: number,
  typed: string,
): Promise<'proved' | 'wrong' | 'ended'> {
  const counted = await ask(db).row<{ code_hash: string; left: number }>`
    update alert_channels set wrong_codes = wrong_codes + 1
     where id = ${id} and user_id = ${userId} and proved_at is null and code_until > now()
       and wrong_codes < ${mostWrongCodes}
    returning code_hash, ${mostWrongCodes} - wrong_codes as left`;
  if (!counted) {
    const isProved = await ask(db).value<boolean>`
      select proved_at is not null from alert_channels where id = ${id} and user_id = ${userId}`;
    return isProved ? 'proved' : 'ended';
  }
  if (counted.code_hash !== hashOf(`${id} ${typed.replaceAll(/\s/g, '')}`)) {
    if (counted.left > 0) return 'wrong';
    await ask(db)
      .rows`update alert_channels set code_until = now() where id = ${id} and proved_at is null`;
    return 'ended';
  }
  await ask(db).rows`
    update alert_channels set proved_at = now(), code_hash = null, code_until = null
     where id = ${id} and proved_at is null and code_hash = ${counted.code_hash}`;
  return 'proved';
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
