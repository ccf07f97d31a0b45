import { listDealsByIds } from '#app/features/deals/deal-list-queries.server.ts';
import { isPriceHidden } from '#app/features/prices/hide-price.ts';
import { inOneLine } from '#app/features/prices/judge-price.ts';
import { findMailPictures } from '#app/features/prices/mail-deal-pictures.server.ts';
import { percentOff } from '#app/features/prices/price-claims.ts';
import { type PricedDeal, priceDeals } from '#app/features/prices/price-deals.server.ts';
import type { SiteSettings } from '#app/features/site-settings/site-settings.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { inBatches } from '#database/in-batches.ts';
import { formatMoney } from '#app/platform/money.ts';
import { shortTime } from '#app/platform/time-words.ts';
import type { Db } from '#database/connect.ts';
import type { DigestDeal } from './digest-content.ts';
import {
  findDigestIssue,
  insertDigestIssue,
  listBestNewDealIds,
  queueNextDigestMails,
} from './digest-queries.server.ts';

const mostDeals = 8;
/** emails per transaction */
const mailsALot = 1_000;
const hourOfMonday = 9;

export type DigestResult =
  | { written: true; mails: number }
  | {
      written: false;
      reason: 'off' | 'no-postal-address' | 'not-its-time' | 'written' | 'no-deals';
    };

/**
 * Writes this week's digest and queues its emails. The job starts on Monday at nine (UTC) and may
 * run until the end of Tuesday, in case the site was down. The job runs once a week in any process,
 * and the next run completes an interrupted one.
 */
export async function writeWeeklyDigest(
  db: Db,
  now: Date,
  signal?: AbortSignal,
): Promise<DigestResult> {
  const settings = await readSiteSettings(db);
  if (!settings.digestEnabled) return { written: false, reason: 'off' };
  // No newsletter is sent before the postal address is set.
  if (settings.postalAddress === '') return { written: false, reason: 'no-postal-address' };
  if (!isTimeForDigest(now)) return { written: false, reason: 'not-its-time' };
  const week = weekOf(now);
  const begun = await findDigestIssue(db, week);
  if (begun?.isQueued) return { written: false, reason: 'written' };
  if (begun) return { written: true, mails: await queueDigestMails(db, begun.id, signal) };
  const content = await gatherDigest(db, settings, now);
  if (content.deals.length === 0) return { written: false, reason: 'no-deals' };
  const issueId = await insertDigestIssue(db, week, content);
  if (issueId === null) return { written: false, reason: 'written' };
  return { written: true, mails: await queueDigestMails(db, issueId, signal) };
}

/** Queues the issue's emails and returns their number. */
async function queueDigestMails(db: Db, issueId: number, signal?: AbortSignal): Promise<number> {
  let mails = 0;
  await inBatches(signal, async () => {
    const queued = await db
      .transaction()
      .execute((tx) => queueNextDigestMails(tx, issueId, mailsALot));
    mails += queued ?? 0;
    return queued !== null;
  });
  return mails;
}

/** Returns the best new deals, each with the price log's evidence. Exported for tests. */
export async function gatherDigest(db: Db, settings: SiteSettings, now: Date) {
  const ids = await listBestNewDealIds(db, settings.priceClaims, mostDeals * 2);
  const deals = await listDealsByIds(db, ids);
  const inOrder = ids.flatMap((id) => deals.find((deal) => deal.id === id) ?? []);
  // An email is read hours later, so deals of a store that forbids outdated prices are left out.
  const showable = inOrder.filter(
    (deal) => deal.merchant.hide_price_after_hours === null && !isPriceHidden(deal, now),
  );
  const priced = await priceDeals(db, showable.slice(0, mostDeals), settings, now);
  const writtenAt = shortTime(now, settings.timeZone);
  return { writtenAt, deals: await describeDeals(db, priced, settings.currency) };
}

/** Describes the deals of an email of several, without those whose price is hidden. */
export async function describeDeals(
  db: Db,
  priced: readonly PricedDeal[],
  currency: string,
): Promise<DigestDeal[]> {
  const pictures = await findMailPictures(
    db,
    priced.map(({ deal }) => deal),
  );
  return priced.flatMap((one) =>
    describeDeal(one, currency).map((deal) => ({ ...deal, ...pictures.get(one.deal.id) })),
  );
}

/** Describes a deal in an email of several. Returns an empty list if its price is hidden. */
export function describeDeal({ deal, price }: PricedDeal, currency: string): DigestDeal[] {
  if (!price) return [];
  const was = price.was === null ? '' : `, was ${formatMoney(price.was, currency)}`;
  return [
    {
      slug: deal.slug,
      title: deal.title,
      store: deal.merchantName,
      price: formatMoney(price.now, currency),
      claim: price.percent === null ? null : `${percentOff(price)}${was}`,
      evidence: price.evidence,
      proof: inOneLine(price.proof),
      couponCode: deal.coupon_code,
    },
  ];
}

function isTimeForDigest(now: Date): boolean {
  const day = now.getUTCDay();
  return (day === 1 && now.getUTCHours() >= hourOfMonday) || day === 2;
}

/** Returns the ISO week, such as `2026-W47`. A week belongs to the year of its Thursday. */
export function weekOf(date: Date): string {
  const thursday = new Date(date);
  thursday.setUTCDate(date.getUTCDate() + 4 - (date.getUTCDay() || 7));
  const year = thursday.getUTCFullYear();
  const dayOfYear =
    (Date.UTC(year, thursday.getUTCMonth(), thursday.getUTCDate()) - Date.UTC(year, 0, 1)) /
    86_400_000;
  return `${year}-W${String(Math.floor(dayOfYear / 7) + 1).padStart(2, '0')}`;
}
