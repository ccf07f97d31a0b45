import { countNoun } from '#app/platform/count-noun.ts';
import type { MoveItem, MoveSummary } from './move-queries.server.ts';
import { describeOffers } from './move-kind.ts';
import type { PictureCounts } from './moved-pictures.server.ts';
import { newPathOf } from './new-path.ts';

/** Returns a text that lists the number of items in an import. */
export function describeMove({ posts, pages, redirects, skipped, ...offers }: MoveSummary): string {
  return [
    countNoun(posts, 'post'),
    countNoun(pages, 'page'),
    ...describeOffers(offers),
    countNoun(redirects, 'redirect'),
    `${skipped.toLocaleString('en-US')} skipped`,
  ].join(', ');
}

/** Lists the kinds of items that this site cannot store, with their numbers, or null if none. */
export function describeLeftOut({
  left_out: leftOut,
}: Pick<MoveSummary, 'left_out'>): string | null {
  const parts = Object.entries(leftOut).map(([what, count]) =>
    /^[a-z ]+$/.test(what) ? countNoun(count, what) : `${count.toLocaleString('en-US')} × ${what}`,
  );
  return parts.length === 0 ? null : `Left out: ${parts.join(', ')}.`;
}

/** Describes the new URL of an item, or why it was skipped. */
export function describeWay(item: MoveItem): string {
  if (item.skip !== null || item.slug === null) return item.skip ?? 'Skipped';
  const path = newPathOf({ kind: item.kind, slug: item.slug });
  if (item.redirect === 'new') return `${path} (${path.startsWith('/') ? 301 : 302})`;
  if (item.redirect === 'same') return `${path} (same address)`;
  return `${path} (no redirect: ${item.redirect_note ?? ''})`;
}

/** Returns sentences that describe an item. */
export function describeItem(item: MoveItem): string[] {
  const state = item.kind === 'deal' ? 'Becomes inactive' : 'Becomes a draft';
  const draft = item.skip === null && !item.isPublished ? [state] : [];
  const kept = item.outcome === 'kept' ? ['Changed since the move, so the undo kept it'] : [];
  return [...kept, ...draft, ...item.notes];
}

const mostHosts = 10;

/** Returns the hosts of pictures, those with the most pictures first. */
export function describePictureHosts({ hosts }: Pick<PictureCounts, 'hosts'>): string {
  const named = hosts
    .slice(0, mostHosts)
    .map(({ host, count }) => `${host} (${count.toLocaleString('en-US')})`);
  const more = hosts.length - named.length;
  return [...named, ...(more > 0 ? [countNoun(more, 'other host')] : [])].join(', ');
}
