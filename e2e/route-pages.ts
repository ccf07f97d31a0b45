import { demoPosts } from '#database/seed/demo-posts.ts';
import { routePatterns } from '#test/route-patterns.ts';
import { pageKinds } from './page-kinds.ts';

/** The response to a visitor: a status, or the path that it redirects to. */
type Answer = number | `/${string}`;

export interface RoutePage {
  /** The pattern in routes.ts. */
  pattern: string;
  address: string;
  signedOut: Answer;
  signedIn: Answer;
}

const same = (address: string, answer: Answer = 200) => ({
  address,
  signedOut: answer,
  signedIn: answer,
});
const ofMembers = (address: string, signedOut: Answer) => ({ address, signedOut, signedIn: 200 });
const signIn = '/sign-in';

/** An example URL of every page except the admin's, which are audited separately. */
const examples: Record<string, Omit<RoutePage, 'pattern'>> = {
  '/': same('/'),
  '/deals': same('/deals'),
  '/deals/:slug': same(kind('deal')),
  '/products/:slug': same('/products/no-such-product', 404),
  '/deals/:slug/report': same(`${kind('deal with a coupon')}/report?about=code`),
  '/categories': same('/categories'),
  '/categories/:slug': same(kind('category')),
  '/merchants': same('/merchants'),
  '/merchants/:slug': same(kind('merchant')),
  '/merchants/:slug/discount-check': same(`${kind('merchant')}/discount-check`),
  '/coupons': same('/coupons'),
  '/coupons/:id/report': same('/coupons/999999/report', 404),
  '/blog': same('/blog'),
  '/blog/:slug': same(kind('article')),
  '/blog/tags/:tag': same(`/blog/tags/${encodeURIComponent(demoPosts[0]?.tags[0] ?? '')}`),
  '/lists/:token': same('/lists/none', 404),
  '/check': same('/check'),
  '/evidence': same('/evidence'),
  '/how-we-rank': same('/how-we-rank'),
  '/feeds': same('/feeds'),
  '/about': same('/about'),
  '/help': same('/help'),
  '/faq': same('/faq'),
  '/developers': same('/developers'),
  '/contact': same('/contact'),
  '/privacy': same('/privacy'),
  '/terms': same('/terms'),
  '/cookies': same('/cookies'),
  '/disclaimer': same('/disclaimer'),
  '/newsletter': same('/newsletter'),
  // The page needs a signed link from an email.
  '/newsletter/confirm': same('/newsletter/confirm', 400),
  '/newsletter/preferences': same('/newsletter/preferences', 400),
  '/unsubscribe': same('/unsubscribe', 400),
  '/stop-mails': same('/stop-mails', 404),
  '/favorites': ofMembers('/favorites', 401),
  '/favorites/saved': ofMembers('/favorites/saved', 401),
  '/for-you': ofMembers('/for-you', 401),
  '/favorites/import': ofMembers('/favorites/import', 401),
  '/price-alerts': ofMembers('/price-alerts', 401),
  '/price-alerts/new': same('/price-alerts/new'),
  '/price-alerts/confirm': same('/price-alerts/confirm', 404),
  '/price-alerts/searches/new': same('/price-alerts/searches/new?of=%2Fdeals'),
  '/price-alerts/by-mail': same('/price-alerts/by-mail', 404),
  '/sign-in': { address: signIn, signedOut: 200, signedIn: '/' },
  '/sign-in/second-factor': { address: '/sign-in/second-factor', signedOut: signIn, signedIn: '/' },
  '/sign-in/with/:provider': same('/sign-in/with/google', 404),
  '/sign-in/with/:provider/callback': same('/sign-in/with/google/callback', 404),
  '/sign-up': { address: '/sign-up', signedOut: 200, signedIn: '/' },
  '/forgot-password': same('/forgot-password'),
  '/reset-password': same('/reset-password?token=none'),
  '/verify-email': same('/verify-email?token=none'),
  '/confirm-address': same('/confirm-address?token=none'),
  '/resend-verification': same('/resend-verification'),
  '/profile': ofMembers('/profile', signIn),
  '/profile/two-factor': ofMembers('/profile/two-factor', signIn),
  '/profile/passkeys': ofMembers('/profile/passkeys', signIn),
  '/profile/providers': ofMembers('/profile/providers', signIn),
  '/logout': same('/logout'),
  '/setup': same('/setup', 404),
  '/invitation': same('/invitation', 404),
  '/*': same('/no-such-page', 404),
};

/**
 * Returns every page in routes.ts that visitors can open, including patterns without an example.
 */
export function routePages(): { pages: RoutePage[]; unknown: string[]; gone: string[] } {
  const patterns = routePatterns().filter(
    ({ pattern, file }) => file.endsWith('-page.tsx') && !pattern.startsWith('/admin'),
  );
  const names = patterns.map(({ pattern }) => pattern);
  return {
    pages: names.flatMap((pattern) => {
      const example = examples[pattern];
      return example ? [{ pattern, ...example }] : [];
    }),
    unknown: names.filter((pattern) => !Object.hasOwn(examples, pattern)),
    gone: Object.keys(examples).filter((pattern) => !names.includes(pattern)),
  };
}

/**
 * Returns a regular expression for every path of the site: pages, and resources for API clients.
 */
export function routeExpressions(): RegExp[] {
  return routePatterns()
    .filter(({ pattern }) => pattern !== '/*')
    .map(({ pattern }) => {
      const escaped = pattern.replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]+').replace('*', '.*');
      return new RegExp(`^${escaped}$`);
    });
}

function kind(name: string): string {
  const found = pageKinds().find((candidate) => candidate.name === name);
  if (!found) throw new Error(`There is no page kind ${name}.`);
  return found.address;
}
