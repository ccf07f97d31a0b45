import type { NearAddress } from '#app/features/search/near-address.ts';

const near = {
  pages: [
    { path: '/deals', title: 'Deals' },
    { path: '/categories', title: 'Categories' },
    { path: '/merchants', title: 'Stores' },
    { path: '/blog', title: 'Blog' },
    { path: '/about', title: 'About Us' },
    { path: '/contact', title: 'Contact Us' },
    { path: '/help', title: 'Help Center' },
    { path: '/faq', title: 'FAQ' },
    { path: '/privacy', title: 'Privacy Policy' },
    { path: '/terms', title: 'Terms of Service' },
    { path: '/cookies', title: 'Cookie Policy' },
    { path: '/disclaimer', title: 'Affiliate Disclaimer' },
    { path: '/newsletter', title: 'Newsletter' },
    { path: '/feeds', title: 'Feeds' },
    { path: '/evidence', title: 'Price log evidence' },
    { path: '/how-we-rank', title: 'How we rank and earn' },
    { path: '/favorites', title: 'My Favorites' },
    { path: '/for-you', title: 'For You' },
    { path: '/price-alerts', title: 'Price Alerts' },
    { path: '/sign-in', title: 'Sign In' },
    { path: '/sign-up', title: 'Sign Up' },
    { path: '/profile', title: 'Your profile' },
  ],
  otherNames: {
    stores: '/merchants',
    shops: '/merchants',
    login: '/sign-in',
    signin: '/sign-in',
    register: '/sign-up',
    signup: '/sign-up',
    account: '/profile',
    support: '/help',
    imprint: '/contact',
    rss: '/feeds',
    articles: '/blog',
  },
};

/** Paths that are common on other sites. */
const otherNames = new Map(Object.entries(near.otherNames));

/**
 * Returns a page whose name differs from the first part of the path by at most two letters, or
 * `null`.
 */
export function findNearFixedAddress(pathname: string): NearAddress | null {
  const [asked = '', ...deeper] = pathname.toLowerCase().split('/').filter(Boolean);
  if (deeper.length > 0 || asked.length < 3 || asked.length > 20) return null;
  const other = otherNames.get(asked);
  if (other) return near.pages.find(({ path }) => path === other) ?? null;
  const tolerance = asked.length < 5 ? 1 : 2;
  const closest = near.pages
    .map((page) => ({ page, distance: editDistance(asked, page.path.slice(1)) }))
    .filter(({ distance }) => distance <= tolerance)
    .toSorted((a, b) => a.distance - b.distance);
  return closest[0]?.page ?? null;
}

/** Counts the letters to add, drop or change to turn one text into the other. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
