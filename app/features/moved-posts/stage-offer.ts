import { safeUrl } from '#app/platform/safe-url.ts';
import { shortenText } from '#app/platform/cut-text.ts';
import { linkTargetOf } from './offer-fields.ts';
import { identityOf, plain } from './old-identity.ts';
import { publicationOf } from './old-item.ts';
import { type OldOffer, readOffer } from './read-offer.ts';
import type { WxrItem } from './wxr-item.ts';

/** The data about a cloaked link that the preview stores. */
export interface OldLink {
  /** The URL behind the link. */
  link: string;
  isPublished: boolean;
}

export interface StagedOffer extends ReturnType<
  typeof identityOf<'post' | 'deal' | 'coupon' | 'link'>
> {
  details: OldOffer | OldLink | object;
  content: null;
  skip: string | null;
  notes: string[];
}

interface Context {
  currency: string;
  timeZone: string;
  now: Date;
}

/**
 * Returns the deal, coupon or cloaked link of an item for the preview, or null if it has none. A
 * post whose offer cannot be imported remains a post, with a note.
 */
export function stageOffer(
  item: WxrItem,
  context: Context,
): StagedOffer | { notes: string[] } | null {
  const target = linkTargetOf(item);
  if (target !== null) return stageLink(item, target);
  if (item.type === 'product' && !item.fields.get('_product_url'))
    return skipped(item, 'deal', 'Has no link to a store: the old site sold it itself');
  const read = readOffer(item, context);
  if (read === null) return null;
  if ('problem' in read) {
    return item.type === 'post'
      ? { notes: [`Stays a post, without its offer: ${lowered(read.problem)}`] }
      : skipped(item, 'coupon', read.problem);
  }
  return {
    ...identityOf(item, read.kind),
    title: plain(read.title, 200),
    details: read.offer,
    content: null,
    skip: null,
    notes: read.notes,
  };
}

function stageLink(item: WxrItem, target: string): StagedOffer {
  const link = safeUrl(target);
  const publication = publicationOf(item);
  const reason =
    target === ''
      ? 'Pretty Links keeps targets outside this export: upload its CSV at Redirects'
      : link === null
        ? `Its target is not a web address: ${shortenText(plain(target, 200), 60)}`
        : 'skip' in publication
          ? publication.skip
          : publication.isPublished
            ? null
            : 'Not published';
  return {
    ...identityOf(item, 'link'),
    details: { link, isPublished: true },
    content: null,
    skip: reason,
    notes: [],
  };
}

function skipped(item: WxrItem, kind: 'deal' | 'coupon', skip: string): StagedOffer {
  return { ...identityOf(item, kind), details: {}, content: null, skip, notes: [] };
}

function lowered(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
