import { openSiteAct } from '#app/features/site-settings/closed-site.ts';
import { countNoun } from '#app/platform/count-noun.ts';

const words = {
  failedImports: {
    one: 'import failed or was interrupted',
    many: 'imports failed or were interrupted',
    href: '/admin/imports',
    isUrgent: true,
  },
  failedMails: {
    one: 'email could not be delivered',
    many: 'emails could not be delivered',
    href: '/admin/outbox?state=failed',
    isUrgent: true,
  },
  lateMails: {
    one: 'email has been waiting for more than 15 minutes',
    many: 'emails have been waiting for more than 15 minutes',
    href: '/admin/outbox?state=queued',
    isUrgent: true,
  },
  staleFeeds: {
    one: 'feed has not been read for twice its interval',
    many: 'feeds have not been read for twice their interval',
    href: '/admin/imports',
    isUrgent: true,
  },
  silentStores: {
    one: 'store had 40 clicks and no sale in 14 days, so its affiliate id may be wrong',
    many: 'stores had 40 clicks and no sale in 14 days, so their affiliate ids may be wrong',
    href: '/admin/earnings#silent-stores',
    isUrgent: true,
  },
  webhooksOff: {
    one: 'webhook was turned off after failing for too long',
    many: 'webhooks were turned off after failing for too long',
    href: '/admin/developers',
    isUrgent: true,
  },
  channelsOff: {
    one: 'channel was turned off after failing for too long',
    many: 'channels were turned off after failing for too long',
    href: '/admin/channels',
    isUrgent: true,
  },
  brokenSettings: {
    one: 'stored setting is invalid, so its default is used',
    many: 'stored settings are invalid, so their defaults are used',
    href: '/admin/settings',
    isUrgent: true,
  },
  wrongForecasts: {
    one: 'kind of forecast is hidden: it was wrong too often in the last 12 weeks',
    many: 'kinds of forecast are hidden: they were wrong too often in the last 12 weeks',
    href: '/how-we-rank#forecasts',
  },
  askingImports: {
    one: 'import is waiting for your answer',
    many: 'imports are waiting for your answer',
    href: '/admin/imports',
  },
  heldPrices: {
    one: 'price fell by more than 90% and is waiting for review',
    many: 'prices fell by more than 90% and are waiting for review',
    href: '/admin/imports/held',
  },
  waitingDeals: {
    one: 'deal is hidden until it has a price in the current currency',
    many: 'deals are hidden until they have a price in the current currency',
    href: '/admin/deals?show=waiting',
  },
  doubtfulProducts: {
    one: 'feed row may be another product and is waiting for review',
    many: 'feed rows may be other products and are waiting for review',
    href: '/admin/imports/products',
  },
  suggestedMatches: {
    one: 'pair of deals may be one product',
    many: 'pairs of deals may be one product',
    href: '/admin/imports/duplicates',
  },
  heldMailing: {
    one: 'subscriber gets no digest: no postal address is set',
    many: 'subscribers get no digest: no postal address is set',
    href: '/admin/settings?section=newsletter',
  },
  unreadMessages: {
    one: 'message is unread',
    many: 'messages are unread',
    href: '/admin/messages',
  },
  brokenLinks: {
    one: 'live deal links to a missing page',
    many: 'live deals link to missing pages',
    href: '/admin/deals?show=broken-link',
    isUrgent: true,
  },
  reportedDeals: {
    one: 'live deal is reported expired by three people or more',
    many: 'live deals are reported expired by three people or more',
    href: '/admin/deals?show=reported',
  },
  misplacedDeals: {
    one: 'live deal is reported as another product',
    many: 'live deals are reported as another product',
    href: '/admin/deals?show=misplaced',
  },
  expiredDeals: {
    one: 'expired deal is still active',
    many: 'expired deals are still active',
    href: '/admin/deals?status=expired',
  },
  dealsWithoutPicture: {
    one: 'active deal has no picture',
    many: 'active deals have no picture',
    href: '/admin/deals?status=active&show=no-picture',
  },
};

/**
 * Counts by kind. `heldMailing`: subscribers whose digest is held because there is no postal
 * address. `silentStores`: stores with clicks but no sales.
 */
export type AttentionCounts = Record<keyof typeof words, number>;

export interface AttentionItem {
  detail: string;
  href: string;
  isUrgent: boolean;
  /** An action that resolves the item immediately. */
  act?: typeof openSiteAct;
}

/**
 * Lists what needs attention: first `closed`, the reason why visitors are locked out, then
 * failures, then cleanup.
 */
export function describeAttention(
  counts: AttentionCounts,
  closed: string | null = null,
): AttentionItem[] {
  const counted: Readonly<Record<string, number>> = { ...counts };
  const first: AttentionItem[] =
    closed === null
      ? []
      : [{ detail: closed, href: openSiteAct.action, isUrgent: true, act: openSiteAct }];
  const others = Object.entries(words).flatMap(([name, { one, many, href, ...more }]) => {
    const count = counted[name] ?? 0;
    return count === 0
      ? []
      : [{ detail: countNoun(count, one, many), href, isUrgent: 'isUrgent' in more }];
  });
  return [...first, ...others];
}
