import type { AdminIconName } from './admin-icon.tsx';

export interface AdminLink {
  href: string;
  label: string;
  icon: AdminIconName;
}

/** The screens of the back office, in the order of its sidebar. A screen stands here once it exists. */
export const adminNav: readonly { title: string; links: readonly AdminLink[] }[] = [
  {
    title: 'Overview',
    links: [{ href: '/admin', label: 'Dashboard', icon: 'gauge' }],
  },
  {
    title: 'Catalog',
    links: [
      { href: '/admin/deals', label: 'Deals', icon: 'list' },
      { href: '/admin/categories', label: 'Categories', icon: 'tag' },
      { href: '/admin/merchants', label: 'Merchants', icon: 'store' },
      { href: '/admin/imports', label: 'Imports', icon: 'upload' },
    ],
  },
  {
    title: 'People',
    links: [
      { href: '/admin/users', label: 'Users', icon: 'users' },
      { href: '/admin/subscriptions', label: 'Subscriptions', icon: 'mail' },
      { href: '/admin/messages', label: 'Messages', icon: 'info' },
    ],
  },
  {
    title: 'Content',
    links: [{ href: '/admin/blog', label: 'Blog', icon: 'edit' }],
  },
  {
    title: 'System',
    links: [
      { href: '/admin/outbox', label: 'Mail outbox', icon: 'inbox' },
      { href: '/admin/audit', label: 'Audit log', icon: 'clock' },
      { href: '/admin/developers', label: 'Developers', icon: 'external' },
      { href: '/admin/settings', label: 'Settings', icon: 'settings' },
    ],
  },
];

/** The link whose screen, or a page below it, is open. */
export function currentLink(pathname: string): AdminLink | undefined {
  return adminNav
    .flatMap(({ links }) => links)
    .filter(({ href }) => pathname === href || pathname.startsWith(`${href}/`))
    .toSorted((a, b) => b.href.length - a.href.length)[0];
}
