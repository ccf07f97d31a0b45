import type { MenuLink } from '#app/features/site-settings/menus.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { siteTexts, textNames } from './site-texts.ts';

const fixed: readonly MenuLink[] = [
  { href: '/', label: 'Home' },
  { href: '/deals', label: 'Deals' },
  { href: '/categories', label: 'Categories' },
  { href: '/merchants', label: 'Stores' },
  { href: '/coupons', label: 'Coupons' },
  { href: '/blog', label: 'Blog' },
  { href: '/check', label: 'Price check' },
  { href: '/evidence', label: 'Price log evidence' },
  { href: '/how-we-rank', label: 'How we rank and earn' },
  { href: '/feeds', label: 'Feeds' },
  { href: '/developers', label: 'For developers' },
  { href: '/newsletter', label: 'Newsletter' },
  ...textNames.map((name) => ({ href: `/${name}`, label: siteTexts[name].label })),
];

const mostOfKind = 500;

/**
 * Returns the pages that a menu may link to: the site's own pages, the owner's pages, and
 * categories.
 */
export async function listLinkTargets(db: Db): Promise<MenuLink[]> {
  const [pages, categories] = await Promise.all([
    ask(db).rows<MenuLink>`
      select '/' || slug as href, title as label from site_pages
       where is_visible and slug <> all(${textNames}) order by lower(title), id limit ${mostOfKind}`,
    ask(db).rows<MenuLink>`
      select '/categories/' || slug as href, 'Category: ' || name as label from categories
       order by lower(name), id limit ${mostOfKind}`,
  ]);
  return [...fixed, ...pages, ...categories];
}
