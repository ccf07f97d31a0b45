import { dealExpiry } from '#app/features/deals/deal-expiry.ts';
import {
  type FeedPlace,
  listEndingDeals,
  listFallenDeals,
  listNewestDeals,
} from '#app/features/deals/deal-feed-queries.server.ts';
import type { DealSummary } from '#app/features/deals/deal-list-queries.server.ts';
import type { ShownPrice } from '#app/features/prices/judge-price.ts';
import type { PublicSite } from '#app/features/site-settings/public-site.ts';
import { formatMoney } from '#app/platform/money.ts';
import type { Db } from '#database/connect.ts';
import type { FeedEntry } from './feed-document.ts';

interface DealFeedKind {
  /** The title of the whole site's feed. */
  title: string;
  /** The subject in the title of a category or merchant, as in `Audio deals from Shop`. */
  subject: string;
  description: string;
  /** The filter of the page with the same deals, such as `?type=expiring`, or empty. */
  homeQuery: string;
  list: (db: Db, place: FeedPlace, limit: number) => Promise<DealSummary[]>;
  headOf: (
    deal: DealSummary,
    price: ShownPrice | null,
    at: { now: Date; site: PublicSite },
  ) => Pick<FeedEntry, 'permanentPath' | 'title' | 'publishedAt' | 'changedAt'> & {
    /** A further line of the content. */
    line?: string;
  };
}

export type DealFeedName = 'deals' | 'price-drops' | 'ending-soon';

export const entriesInFeed = 50;

/** hours; the period of the filter for deals that end soon */
const endingHours = 72;

/** The feeds of deals, by file name. */
export const dealFeedKinds: Record<DealFeedName, DealFeedKind> = {
  deals: {
    title: 'Newest deals',
    subject: 'deals',
    description: 'The newest deals with their prices at the time of writing.',
    homeQuery: '',
    list: listNewestDeals,
    // The path has the id: a new title means a new slug, which feed readers would show as another
    // deal.
    headOf: (deal) => ({
      permanentPath: `/deals/${deal.id}`,
      title: deal.title,
      publishedAt: deal.created_at,
      changedAt: later(deal.created_at, deal.price_since),
    }),
  },
  'price-drops': {
    title: 'Price drops',
    subject: 'price drops',
    description:
      'Deals with a lower price than before, and no lower one in the last seven days. One entry for each deal, price and day.',
    homeQuery: '?evidence=fell',
    list: listFallenDeals,
    headOf: (deal, price, { site: { currency } }) => ({
      permanentPath: `/deals/${deal.id}#price-${deal.sale_price}-${currency}-${utcDay(deal.price_since)}`,
      title: price ? `${deal.title}: ${formatMoney(price.now, currency)}` : deal.title,
      publishedAt: deal.price_since,
      changedAt: deal.price_since,
      ...(price && { line: price.proof.text }),
    }),
  },
  'ending-soon': {
    title: 'Deals ending soon',
    subject: 'deals ending soon',
    description: `The next ${entriesInFeed} deals to end within ${endingHours} hours, with their prices at the time of writing.`,
    homeQuery: '?type=expiring',
    list: listEndingDeals,
    headOf: (deal, _price, { now, site }) => {
      const end = deal.expires_at ?? now;
      const publishedAt = later(deal.created_at, new Date(end.getTime() - endingHours * 3_600_000));
      const day = dealExpiry(deal, now, site.timeZone)?.date;
      return {
        permanentPath: `/deals/${deal.id}#ends-${end.toISOString()}`,
        title: day ? `${deal.title}: ends ${day}` : deal.title,
        publishedAt,
        changedAt: later(publishedAt, deal.price_since),
      };
    },
  },
};

function utcDay(time: Date): string {
  return time.toISOString().slice(0, 10);
}

function later(one: Date, other: Date): Date {
  return one > other ? one : other;
}
