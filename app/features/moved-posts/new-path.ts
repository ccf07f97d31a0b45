import { couponsHref } from '#app/features/coupons/describe-coupon.ts';
import type { MoveKind } from './move-kind.ts';

/**
 * Returns the new URL of an item. For a coupon, `slug` is that of its store; for a cloaked link,
 * its target.
 */
export function newPathOf({ kind, slug }: { kind: MoveKind; slug: string }): string {
  if (kind === 'coupon') return couponsHref(slug);
  if (kind === 'link') return slug;
  return { post: '/blog/', page: '/', deal: '/deals/' }[kind] + slug;
}
