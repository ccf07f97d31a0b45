export interface AttentionCounts {
  heldPrices: number;
  askingImports: number;
  failedImports: number;
  staleFeeds: number;
  failedMails: number;
  lateMails: number;
  unreadMessages: number;
  webhooksOff: number;
  expiredDeals: number;
  brokenLinks: number;
  dealsWithoutPicture: number;
  brokenSettings: number;
  /** Subscribers whose digest is held back for want of a postal address (P28). */
  heldMailing: number;
}

export interface AttentionItem {
  says: string;
  href: string;
  isUrgent: boolean;
}

interface Words {
  one: string;
  many: string;
  href: string;
  isUrgent?: true;
}

/** In the order they are shown: what is broken before what is only untidy. */
const words: { [Name in keyof AttentionCounts]: Words } = {
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
    one: 'mail has waited for more than 15 minutes',
    many: 'mails have waited for more than 15 minutes',
    href: '/admin/outbox?state=queued',
    isUrgent: true,
  },
  staleFeeds: {
    one: 'feed was not read for twice its pause',
    many: 'feeds were not read for twice their pause',
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
  askingImports: {
    one: 'import waits for your answer',
    many: 'imports wait for your answer',
    href: '/admin/imports',
  },
  heldPrices: {
    one: 'price fell by more than 90 % and waits for review',
    many: 'prices fell by more than 90 % and wait for review',
    href: '/admin/imports/held',
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

/** What waits for a person, worst first; empty when nothing does. */
export function describeAttention(counts: AttentionCounts): AttentionItem[] {
  const counted: Readonly<Record<string, number>> = { ...counts };
  return Object.entries(words).flatMap(([name, { one, many, href, isUrgent = false }]) => {
    const count = counted[name] ?? 0;
    if (count === 0) return [];
    return { says: `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`, href, isUrgent };
  });
}
