import { listDealsByIds } from '#app/features/deals/deal-list-queries.server.ts';
import { keepFirst } from '#app/features/deals/list-products-once.server.ts';
import { isPriceHidden } from '#app/features/prices/hide-price.ts';
import { inOneLine } from '#app/features/prices/judge-price.ts';
import { findMailPictures } from '#app/features/prices/mail-deal-pictures.server.ts';
import { percentOff } from '#app/features/prices/price-claims.ts';
import { type PricedDeal, priceDeals } from '#app/features/prices/price-deals.server.ts';
import { findOtherStores } from '#app/features/products/find-other-stores.server.ts';
import { writeAlsoAt } from '#app/features/products/offer-words.ts';
import type { SiteSettings } from '#app/features/site-settings/site-settings.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { inBatches } from '#database/in-batches.ts';
import { formatMoney } from '#app/platform/money.ts';
import { shortTime } from '#app/platform/time-words.ts';
import type { Db } from '#database/connect.ts';
import {
  type DigestContent,
  type DigestDeal,
  type DigestKind,
  isDigestOn,
} from './digest-content.ts';
import {
  findDigestIssue,
  insertDigestIssue,
  listBestNewDealIds,
  listNewLowIds,
  queueNextDigestMails,
} from './digest-queries.server.ts';

const mostDeals = 8;
/** emails per transaction */
const mailsALot = 1_000;
const hourOfMonday = 9;
const hourOfHotDeals = 16;

export type DigestResult =
  | { written: true; mails: number }
  | {
      written: false;
      reason: 'off' | 'no-postal-address' | 'not-its-time' | 'written' | 'no-deals';
    };

interface DigestRules {
  /** Returns the name of the issue that is due now, or `null`. */
  issueAt: (now: Date) => string | null;
  /** Returns the ids of candidates, the best first. */
  listDealIds: (db: Db, settings: SiteSettings, limit: number) => Promise<number[]>;
  /** Whether a candidate is shown. */
  isWorthy: (priced: PricedDeal) => boolean;
}

const rules: Record<DigestKind, DigestRules> = {
  /** Due from Monday at nine (UTC) to the end of Tuesday, in case the site was down. */
  weekly: {
    issueAt: (now) => (isTimeForWeekly(now) ? weekOf(now) : null),
    listDealIds: (db, { priceClaims }, limit) => listBestNewDealIds(db, priceClaims, limit),
    isWorthy: () => true,
  },
  /** Due once a day, and only if there are real lows that the site itself rates as good. */
  hot: {
    issueAt: (now) =>
      now.getUTCHours() >= hourOfHotDeals ? now.toISOString().slice(0, 'YYYY-MM-DD'.length) : null,
    listDealIds: (db, _settings, limit) => listNewLowIds(db, limit),
    isWorthy: ({ price }) => price?.proof.isGood === true,
  },
};

/**
 * Writes the due issue of an automatic email and queues its emails. Each issue is written once
 * across all processes, and the next run completes an interrupted issue.
 */
export async function writeDigest(
  db: Db,
  kind: DigestKind,
  now: Date,
  signal?: AbortSignal,
): Promise<DigestResult> {
  const settings = await readSiteSettings(db);
  if (!isDigestOn(kind, settings)) return { written: false, reason: 'off' };
  // No newsletter is sent before the postal address is set.
  if (settings.postalAddress === '') return { written: false, reason: 'no-postal-address' };
  const issue = rules[kind].issueAt(now);
  if (issue === null) return { written: false, reason: 'not-its-time' };
  const begun = await findDigestIssue(db, issue);
  if (begun?.isQueued) return { written: false, reason: 'written' };
  if (begun) return { written: true, mails: await queueDigestMails(db, begun.id, signal) };
  const { dealIds, ...content } = await gatherDigest(db, { kind, settings, now });
  if (content.deals.length === 0) return { written: false, reason: 'no-deals' };
  const issueId = await insertDigestIssue(db, { kind, issue, content, dealIds });
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

/**
 * Returns the best deals for an issue, one per product, with the price log's evidence. Exported for
 * tests.
 */
export async function gatherDigest(
  db: Db,
  { kind, settings, now }: { kind: DigestKind; settings: SiteSettings; now: Date },
): Promise<DigestContent & { dealIds: number[] }> {
  const { listDealIds, isWorthy } = rules[kind];
  const ids = await listDealIds(db, settings, mostDeals * 4);
  const deals = await listDealsByIds(db, ids);
  const inOrder = ids.flatMap((id) => deals.find((deal) => deal.id === id) ?? []);
  // An email is read hours later, so deals of a store that forbids outdated prices are omitted.
  const showable = inOrder.filter(
    (deal) => deal.merchant.hide_price_after_hours === null && !isPriceHidden(deal, now),
  );
  const worthy = (await priceDeals(db, showable, settings, now)).filter(isWorthy);
  const firsts = await keepFirst(
    db,
    worthy.map(({ deal }) => deal.id),
  );
  const priced = worthy.filter(({ deal }) => firsts.includes(deal.id)).slice(0, mostDeals);
  return {
    kind,
    writtenAt: shortTime(now, settings.timeZone),
    deals: await describeDeals(db, priced, settings.currency),
    dealIds: priced.map(({ deal }) => deal.id),
  };
}

/** Describes the deals in an email that lists several, omitting those whose price is hidden. */
export async function describeDeals(
  db: Db,
  priced: readonly PricedDeal[],
  currency: string,
): Promise<DigestDeal[]> {
  const deals = priced.map(({ deal }) => deal);
  const pictures = await findMailPictures(db, deals);
  const ids = deals.map(({ id }) => id);
  const otherStores = await findOtherStores(db, ids, null);
  return priced.flatMap((one) => {
    const others = otherStores.get(one.deal.id);
    return describeDeal(one, currency).map((deal) => ({
      ...deal,
      ...(others && { alsoAt: writeAlsoAt(others, currency) }),
      ...pictures.get(one.deal.id),
    }));
  });
}

/** Describes a deal in such an email. Returns an empty list if its price is hidden. */
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

function isTimeForWeekly(now: Date): boolean {
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
