import type { Right } from '#app/features/accounts/policy.ts';
import type { Held } from '#app/features/desk/find-rows.server.ts';
import { settingsLabels } from '#app/features/site-settings/settings-sections.ts';
import { siteTexts, textNames } from '#app/features/pages/site-texts.ts';
import { fold } from '#app/platform/fold.ts';
import { adminNav, hasOneOf } from '../frame/admin-nav.ts';
import { settingsTabs, tabHref } from '../settings/settings-tabs.ts';

/** A screen, setting or action that "Find" links to. */
export interface Target {
  right: Right | readonly Right[];
  name: string;
  detail: string;
  href: string;
}

const actions: readonly Target[] = (
  [
    ['catalog.write', 'Add Deal', '/admin/deals/new'],
    ['catalog.write', 'Add Category', '/admin/categories/new'],
    ['catalog.write', 'Add Merchant', '/admin/merchants/new'],
    ['catalog.write', 'Add Coupon', '/admin/coupons/new'],
    ['catalog.write', 'Upload coupons', '/admin/coupons/upload'],
    ['catalog.write', 'Add Redirect', '/admin/redirects/new'],
    ['feeds.import', 'Import deals', '/admin/imports/new'],
    ['earnings.write', 'Upload earnings report', '/admin/earnings/upload'],
    ['blog.write', 'New Post', '/admin/blog/new'],
    ['blog.write', 'New Page', '/admin/pages/new'],
    ...textNames.map(
      (name) =>
        ['blog.write', `Edit ${siteTexts[name].label}`, `/admin/pages/texts/${name}`] as const,
    ),
    ['settings.write', 'New Ad or announcement', '/admin/slots/new'],
    ['media.write', 'Upload pictures', '/admin/media'],
    ['newsletter.manage', 'New Newsletter', '/admin/newsletters/new'],
    ['newsletter.manage', 'Newsletter lists', '/admin/newsletters/lists'],
    ['newsletter.manage', 'Add a subscriber', '/admin/subscriptions/add'],
    ['newsletter.manage', 'Move in subscribers', '/admin/move-in/subscribers'],
    ['catalog.write', 'Move in price histories', '/admin/move-in/price-histories'],
    ['newsletter.manage', 'Export subscribers', '/admin/subscriptions/export'],
    ['users.invite', 'Invite staff', '/admin/users/invite'],
    ['users.change-role', 'Add Role', '/admin/roles/new'],
    ['mail.configure', 'Set up the email server', '/admin/settings/mail-server'],
    ['settings.write', 'Change the brand', '/admin/settings/brand'],
  ] as const
).map(([right, name, href]) => ({ right, name, detail: '', href }));

const screens: readonly Target[] = adminNav.flatMap(({ title, links }) =>
  links.map(({ right, label, href }) => ({ right, name: label, detail: title, href })),
);

const settingsScreens = [
  ...settingsTabs.map(({ name, label }) => ({ name, label, href: tabHref(name) })),
  { name: 'brand', label: 'Brand', href: '/admin/settings/brand' },
];

const settings: readonly Target[] = settingsScreens.flatMap(({ name, label, href }) => {
  const own = { right: 'settings.read' as const, detail: `Settings, ${label}`, href };
  const fields = Object.entries(settingsLabels).find(([section]) => section === name)?.[1] ?? {};
  return [
    { ...own, name: label },
    ...Object.values(fields).map((field) => ({ ...own, name: field })),
  ];
});

const groups = { Actions: actions, Screens: screens, Settings: settings };

const mostFound = 6;

/** Returns the targets whose name contains all words; without a word, all actions and screens. */
export function findTargets(text: string, rights: Held) {
  const words = fold(text).split(/\s+/).filter(Boolean);
  const isAsked = words.length > 0;
  return Object.entries(groups).map(([title, targets]) => {
    const found = targets.filter(
      ({ right, name }) =>
        hasOneOf(rights, right) && words.every((word) => fold(name).includes(word)),
    );
    const shown = isAsked ? found.slice(0, mostFound) : title === 'Settings' ? [] : found;
    return { title, found: shown };
  });
}
