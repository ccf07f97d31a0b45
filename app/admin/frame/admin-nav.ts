import type { Right } from '#app/features/accounts/policy.ts';
import type { SessionUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { trashRights } from '#app/features/desk/trash-kinds.ts';
import type { AdminIconName } from './admin-icon.tsx';

export interface AdminLink {
  /** The right that the screen requires, or several of which one is enough. */
  right: Right | readonly Right[];
  href: string;
  label: string;
  icon: AdminIconName;
}

/** The screens of the admin in the order of its sidebar. */
export const adminNav: readonly { title: string; links: readonly AdminLink[] }[] = [
  {
    title: 'Overview',
    links: [
      { right: 'dashboard.read', href: '/admin', label: 'Dashboard', icon: 'gauge' },
      { right: 'catalog.read', href: '/admin/clicks', label: 'Clicks', icon: 'chart' },
      { right: 'earnings.read', href: '/admin/earnings', label: 'Earnings', icon: 'coin' },
    ],
  },
  {
    title: 'Catalog',
    links: [
      { right: 'catalog.read', href: '/admin/deals', label: 'Deals', icon: 'list' },
      { right: 'catalog.read', href: '/admin/categories', label: 'Categories', icon: 'tag' },
      { right: 'catalog.read', href: '/admin/merchants', label: 'Merchants', icon: 'store' },
      { right: 'catalog.read', href: '/admin/coupons', label: 'Coupons', icon: 'coupon' },
      { right: 'catalog.read', href: '/admin/search', label: 'Search', icon: 'search' },
      { right: 'catalog.read', href: '/admin/redirects', label: 'Redirects', icon: 'external' },
      { right: 'feeds.import', href: '/admin/imports', label: 'Imports', icon: 'upload' },
    ],
  },
  {
    title: 'People',
    links: [
      { right: 'users.read', href: '/admin/users', label: 'Users', icon: 'users' },
      { right: 'users.read', href: '/admin/roles', label: 'Roles', icon: 'shield' },
      {
        right: 'newsletter.manage',
        href: '/admin/subscriptions',
        label: 'Subscriptions',
        icon: 'mail',
      },
      { right: 'newsletter.manage', href: '/admin/move-in', label: 'Move in', icon: 'upload' },
      { right: 'contact.manage', href: '/admin/messages', label: 'Messages', icon: 'info' },
    ],
  },
  {
    title: 'Content',
    links: [
      { right: 'blog.read', href: '/admin/blog', label: 'Blog', icon: 'edit' },
      { right: 'blog.read', href: '/admin/pages', label: 'Pages', icon: 'book' },
      { right: 'settings.read', href: '/admin/home', label: 'Home page', icon: 'list' },
      { right: 'settings.read', href: '/admin/menus', label: 'Menus', icon: 'list' },
      { right: 'settings.read', href: '/admin/slots', label: 'Ads', icon: 'tag' },
      { right: 'media.read', href: '/admin/media', label: 'Media', icon: 'picture' },
      {
        right: 'newsletter.manage',
        href: '/admin/newsletters',
        label: 'Newsletters',
        icon: 'send',
      },
      { right: 'api.manage', href: '/admin/channels', label: 'Channels', icon: 'share' },
    ],
  },
  {
    title: 'System',
    links: [
      { right: 'mail.read', href: '/admin/outbox', label: 'Mail outbox', icon: 'inbox' },
      { right: trashRights, href: '/admin/trash', label: 'Trash', icon: 'trash' },
      { right: 'audit.read', href: '/admin/audit', label: 'Audit log', icon: 'clock' },
      { right: 'api.manage', href: '/admin/developers', label: 'Developers', icon: 'external' },
      { right: 'settings.read', href: '/admin/settings', label: 'Settings', icon: 'settings' },
    ],
  },
];

const links = adminNav.flatMap((group) => group.links);

/** Returns whether these rights include the required one, or one of those required. */
export function hasOneOf(
  held: { has(right: Right): boolean },
  required: Right | readonly Right[],
): boolean {
  return [required].flat().some((right) => held.has(right));
}

/** Returns the URLs of the screens that the user may open. */
export function screensFor({ rights }: Pick<SessionUser, 'rights'>): string[] {
  return links.filter(({ right }) => hasOneOf(rights, right)).map(({ href }) => href);
}

/** Returns the link to the current screen, or to the one above the current page. */
export function currentLink(pathname: string): AdminLink | undefined {
  return links
    .filter(({ href }) => pathname === href || pathname.startsWith(`${href}/`))
    .toSorted((a, b) => b.href.length - a.href.length)[0];
}
