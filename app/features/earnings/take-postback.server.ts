import { createHash, timingSafeEqual } from 'node:crypto';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { siteSecret } from '#app/platform/site-secret.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { NetworkId } from './affiliate-networks.ts';
import { matchSales } from './match-sales.server.ts';
import { lockNetwork, planSales, writeSales } from './plan-sales.server.ts';
import { readSale, type Sale } from './read-report.server.ts';
import { reportFormOf } from './report-forms.ts';

/** Returns the secret in a network's postback URL. Raising the URL's number changes the secret. */
export async function postbackToken(db: Db, network: NetworkId): Promise<string> {
  const row = await db
    .selectFrom('report_settings')
    .where('network', '=', network)
    .select('address_number')
    .executeTakeFirst();
  return siteSecret(db, `postbacks of ${network} ${row?.address_number ?? 1}`);
}

/** Invalidates a network's postback URL. `postbackToken` returns the secret of the new one. */
export async function changePostbackAddress(
  db: Db,
  network: NetworkId,
  actor: string,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('report_settings')
      .values({ network, address_number: 2 })
      .onConflict((conflict) =>
        conflict.column('network').doUpdateSet(({ eb, ref }) => ({
          address_number: eb(ref('report_settings.address_number'), '+', 1),
        })),
      )
      .execute();
    const action = 'earning.new-address';
    await writeAudit(tx, { actor, action, entity: 'earning', after: { network } });
  });
}

export type TakenPostback = 'stored' | 'unchanged' | 'forged' | { malformed: string };

/**
 * Stores the sale of a postback. A repeated postback changes nothing, and a late one does not
 * revert a decision. Postbacks do not contain the time of a decision. A declined sale stays
 * declined, since a later `approved` may repeat an older postback. Only a report restores such a
 * sale.
 */
export async function takePostback(
  db: Db,
  network: NetworkId,
  params: URLSearchParams,
  now: Date,
): Promise<TakenPostback> {
  if (!isToken(params.get('token') ?? '', await postbackToken(db, network))) return 'forged';
  const read = readPostback(network, params, now);
  if (typeof read === 'string') return { malformed: read };
  return db.transaction().execute(async (tx) => {
    await lockNetwork(tx, network);
    const sale = read.isDated ? read : { ...read, day: await knownDay(tx, network, read) };
    const planned = await planSales(tx, network, await matchSales(tx, [sale]));
    const changes = planned.filter(({ sale: { status }, effect }) => {
      if (effect.kind !== 'changed') return effect.kind === 'new';
      return effect.was.status !== 'declined' || status === 'declined';
    });
    if (changes.length === 0) return 'unchanged';
    await writeSales(tx, network, changes, null);
    return 'stored';
  });
}

/** Returns the stored day of a sale whose postback has no date. */
async function knownDay(tx: Db, network: NetworkId, { transactionId, day }: Sale) {
  const known = await ask(tx).value<string>`
    select day from earnings where network = ${network} and transaction_id = ${transactionId}`;
  return known ?? day;
}

const dayMs = 24 * 3600 * 1000;

/**
 * Reads a postback. Returns the reason if it is malformed. A sale without a date is dated today.
 */
function readPostback(
  network: NetworkId,
  params: URLSearchParams,
  now: Date,
): (Sale & { isDated: boolean }) | string {
  const text = (name: string) => {
    const value = params.get(name)?.trim() ?? '';
    return isPlaceholder(value) ? '' : value;
  };
  const id = text('id');
  if (id === '' || id.length > 100 || /\p{Cc}/u.test(id)) return 'The id is missing or not valid.';
  const form = reportFormOf(network);
  const date = text('date');
  const texts = {
    id,
    amount: text('amount'),
    currency: text('currency') || (form.currency ?? ''),
    status: text('status'),
    date: date || now.toISOString().slice(0, 10),
    subId: text('sub_id'),
  };
  const today = new Date(now.getTime() + dayMs).toISOString().slice(0, 10);
  const sale = readSale(texts, { form, today, decimalMark: '.', dayOrder: form.dayOrder });
  return typeof sale === 'string' ? sale : { ...sale, isDated: date !== '' };
}

/** Returns whether the network left a placeholder unreplaced. */
function isPlaceholder(value: string): boolean {
  return /^(?:!!!\w*!!!|\[\[\[\w*\]\]\]|\{\w*\})$/.test(value);
}

function isToken(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
