import { demoCatalog, type DemoDeal } from '#database/seed/demo-catalog.ts';
import { demoPosts } from '#database/seed/demo-posts.ts';
import { slugify } from '#database/slug.ts';

export interface PageKind {
  name: string;
  address: string;
  status: number;
}

/** One demo shop page for each kind of page that visitors can reach, with its expected status. */
export function pageKinds(): PageKind[] {
  const deals = demoCatalog();
  const live = deals.filter(({ expiresInHours }) => expiresInHours === null || expiresInHours > 0);
  const plain = live.filter(({ hasPicture, condition, couponCode }) => {
    return hasPicture && !condition && !couponCode;
  });
  const [post] = demoPosts;
  const [someDeal] = plain;
  if (!post || !someDeal) throw new Error('The demo shop is empty.');
  return [
    found('home', '/'),
    found('deals', '/deals'),
    found('deals, second page', '/deals?page=2'),
    found('deals, filtered', '/deals?type=coupon&min=20&sort=price_low'),
    found('deals, filtered to nothing', '/deals?min=9999999'),
    found('search', '/deals?search=desk'),
    found('search, narrowed', '/deals?search=desk&status=new&min=5'),
    found('search, corrected', '/deals?search=hedphones'),
    found('search without result', '/deals?search=zqxjv'),
    found('deal', dealAddress(plain)),
    found('deal, expired', dealAddress(deals.filter((deal) => !live.includes(deal)))),
    found('deal, out of stock', dealAddress(withAvailability(live, 'out_of_stock'))),
    found('deal with a coupon', dealAddress(live.filter(({ couponCode }) => couponCode))),
    found('deal, used', dealAddress(live.filter(({ condition }) => condition))),
    found('deal without a picture', dealAddress(live.filter(({ hasPicture }) => !hasPicture))),
    missing('deal, not found', '/deals/no-such-deal'),
    found('categories', '/categories'),
    found('category', `/categories/${slugify(someDeal.category)}`),
    found('merchants', '/merchants'),
    found('merchant', `/merchants/${slugify(someDeal.merchant.name)}`),
    found('discount check', `/merchants/${slugify(someDeal.merchant.name)}/discount-check`),
    found('coupons', '/coupons'),
    found('blog', '/blog'),
    found('article', `/blog/${slugify(post.title)}`),
    found('tag of the blog', `/blog/tags/${encodeURIComponent(post.tags[0] ?? '')}`),
    found('evidence', '/evidence'),
    found('how we rank', '/how-we-rank'),
    found('feeds', '/feeds'),
    found('about', '/about'),
    found('help', '/help'),
    found('help, searched', '/help?search=alert'),
    found('help, searched in vain', '/help?search=zqxjv'),
    found('FAQ', '/faq'),
    found('FAQ, searched', '/faq?category=deals&search=price'),
    found('FAQ, searched in vain', '/faq?search=zqxjv'),
    found('contact', '/contact'),
    found('privacy', '/privacy'),
    found('terms', '/terms'),
    found('cookies', '/cookies'),
    found('disclaimer', '/disclaimer'),
    found('developers', '/developers'),
    missing('page, not found', '/no-such-page'),
  ];
}

function withAvailability(deals: DemoDeal[], wanted: DemoDeal['availability']): DemoDeal[] {
  return deals.filter(({ availability }) => availability === wanted);
}

function dealAddress([deal]: DemoDeal[]): string {
  if (!deal) throw new Error('The demo shop has no deal of this kind.');
  return `/deals/${deal.slug}`;
}

function found(name: string, address: string): PageKind {
  return { name, address, status: 200 };
}

function missing(name: string, address: string): PageKind {
  return { name, address, status: 404 };
}
