import { z } from 'zod';

/** A link of a menu. */
export interface MenuLink {
  label: string;
  /** A path of this site, or a URL. */
  href: string;
}

export type MenuName = 'header' | 'quick' | 'how' | 'legal';
export type Menus = Record<MenuName, readonly MenuLink[]>;

export const longestLabel = 40;
export const mostLinks = 20;

/** The names of the menus. The names of footer menus are the titles of the footer's columns. */
export const menuTitles: Record<MenuName, string> = {
  header: 'Header',
  quick: 'Quick links',
  how: 'How it works',
  legal: 'Legal',
};

/** The default menus. */
export const defaultMenus: Menus = {
  header: [
    { href: '/', label: 'Home' },
    { href: '/deals', label: 'Deals' },
    { href: '/categories', label: 'Categories' },
    { href: '/merchants', label: 'Stores' },
    { href: '/blog', label: 'Blog' },
  ],
  quick: [
    { href: '/deals', label: 'All Deals' },
    { href: '/categories', label: 'Categories' },
    { href: '/merchants', label: 'Merchants' },
    { href: '/coupons', label: 'Coupons' },
    { href: '/blog', label: 'Blog' },
    { href: '/about', label: 'About Us' },
    { href: '/help', label: 'Help' },
    { href: '/faq', label: 'FAQ' },
  ],
  how: [
    { href: '/check', label: 'Price check' },
    { href: '/how-we-rank', label: 'How we rank and earn' },
    { href: '/evidence', label: 'Price log evidence' },
    { href: '/feeds', label: 'Feeds' },
    { href: '/developers', label: 'For developers' },
    { href: '/newsletter', label: 'Newsletter' },
  ],
  legal: [
    { href: '/privacy', label: 'Privacy Policy' },
    { href: '/terms', label: 'Terms of Service' },
    { href: '/cookies', label: 'Cookie Policy' },
    { href: '/disclaimer', label: 'Affiliate Disclaimer' },
  ],
};

export const menuNames = Object.keys(defaultMenus).filter(isMenuName);

export function isMenuName(name: string): name is MenuName {
  return Object.hasOwn(defaultMenus, name);
}

const menu = z
  .array(
    z.object({
      label: z.string().min(1).max(longestLabel),
      href: z.string().regex(/^(?:https?:\/\/|\/(?![/\\]))/),
    }),
  )
  .max(mostLinks)
  .optional();

/** The owner's menus as stored. A missing menu is the default one. */
export const menusSchema = z.object({ header: menu, quick: menu, how: menu, legal: menu });

export type StoredMenus = z.output<typeof menusSchema>;

/** Returns all menus, the owner's or the default ones. */
export function menusOf(stored: StoredMenus): Menus {
  return {
    header: stored.header ?? defaultMenus.header,
    quick: stored.quick ?? defaultMenus.quick,
    how: stored.how ?? defaultMenus.how,
    legal: stored.legal ?? defaultMenus.legal,
  };
}
