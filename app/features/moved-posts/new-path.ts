import { couponsHref } from '#app/features/coupons/describe-coupon.ts';
import type { MoveKind } from './move-kind.ts';

/**
 * Returns where an item leads on this site. The slug of a coupon is its store's, and that of a
 * cloaked link is its target.
 */
export function newPathOf({ kind, slug }: { kind: MoveKind; slug: string }): string {
  if (kind === 'coupon') return couponsHref(slug);
  if (kind === 'link') return slug;
  return { post: '/blog/', page: '/', deal: '/deals/' }[kind] + slug;
}
