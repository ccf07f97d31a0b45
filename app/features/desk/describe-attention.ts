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
    one: 'mail could not be delivered',
    many: 'mails could not be delivered',
    href: '/admin/outbox?state=failed',
    isUrgent: true,
  },
  lateMails: {
    one: 'mail has been waiting for more than 15 minutes',
    many: 'mails have been waiting for more than 15 minutes',
    href: '/admin/outbox?state=queued',
    isUrgent: true,
  },
  staleFeeds: {
    one: 'feed has not been read for twice its interval',
    many: 'feeds have not been read for twice their interval',
    href: '/admin/imports',
    isUrgent: true,
  },
  webhooksOff: {
    one: 'webhook was switched off after failing for too long',
    many: 'webhooks were switched off after failing for too long',
    href: '/admin/developers',
    isUrgent: true,
  },
  brokenSettings: {
    one: 'stored setting cannot be used; its default is in force',
    many: 'stored settings cannot be used; their defaults are in force',
    href: '/admin/settings',
    isUrgent: true,
  },
  wrongForecasts: {
    one: 'kind of statement is hidden: forecasts of prices were wrong too often in 12 weeks',
    many: 'kinds of statement are hidden: forecasts of prices were wrong too often in 12 weeks',
    href: '/how-we-rank#forecasts',
  },
  askingImports: {
    one: 'import is waiting for your answer',
    many: 'imports are waiting for your answer',
    href: '/admin/imports',
  },
  heldPrices: {
    one: 'price fell by more than 90 % and is waiting for review',
    many: 'prices fell by more than 90 % and are waiting for review',
    href: '/admin/imports/held',
  },
  waitingDeals: {
    one: 'deal is hidden until it has a price in the present currency',
    many: 'deals are hidden until they have a price in the present currency',
    href: '/admin/deals?show=waiting',
  },
  doubtfulProducts: {
    one: 'row of a feed may be another product and is waiting for review',
    many: 'rows of feeds may be other products and are waiting for review',
    href: '/admin/imports/products',
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
    one: 'live deal leads to a page that is gone',
    many: 'live deals lead to pages that are gone',
    href: '/admin/deals?show=broken-link',
    isUrgent: true,
  },
  reportedDeals: {
    one: 'live deal is reported over by three people or more',
    many: 'live deals are reported over by three people or more',
    href: '/admin/deals?show=reported',
  },
  expiredDeals: {
    one: 'expired deal is still active',
    many: 'expired deals are still active',
    href: '/admin/deals?status=active&show=expired',
  },
  dealsWithoutPicture: {
    one: 'active deal has no picture',
    many: 'active deals have no picture',
    href: '/admin/deals?status=active&show=no-picture',
  },
};

/** `heldMailing`: subscribers whose digest is held back for want of a postal address (P28). */
export type AttentionCounts = Record<keyof typeof words, number>;

export interface AttentionItem {
  says: string;
  href: string;
  isUrgent: boolean;
  /** Settles it at once. */
  act?: typeof openSiteAct;
}

/**
 * What waits for a person, in the order of the words: what is broken before what is only untidy. `closed`: what keeps
 * visitors out, before all.
 */
export function describeAttention(
  counts: AttentionCounts,
  closed: string | null = null,
): AttentionItem[] {
  const counted: Readonly<Record<string, number>> = { ...counts };
  const first: AttentionItem[] =
    closed === null
      ? []
      : [{ says: closed, href: openSiteAct.action, isUrgent: true, act: openSiteAct }];
  const others = Object.entries(words).flatMap(([name, { one, many, href, ...more }]) => {
    const count = counted[name] ?? 0;
    return count === 0
      ? []
      : [{ says: countNoun(count, one, many), href, isUrgent: 'isUrgent' in more }];
  });
  return [...first, ...others];
}
