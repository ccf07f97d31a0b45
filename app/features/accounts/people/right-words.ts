import { type StaffRight, staffRights } from '../policy.ts';

/** A right in plain words, and the right that it includes. */
interface Words {
  label: string;
  hint?: string;
  includes?: StaffRight;
}

export const rightWords: Readonly<Record<StaffRight, Words>> = {
  'dashboard.read': { label: 'View the dashboard' },
  'catalog.read': {
    label: 'View deals and clicks',
    hint: 'Also stores, categories, coupons, redirects and search words.',
  },
  'catalog.write': { label: 'Change deals, stores and coupons', includes: 'catalog.read' },
  'feeds.import': {
    label: 'Import feeds and files',
    hint: 'Imports add, change and end deals.',
    includes: 'catalog.read',
  },
  'earnings.read': { label: 'View earnings' },
  'earnings.write': { label: 'Upload sales reports', includes: 'earnings.read' },
  'blog.read': { label: 'View posts and pages, also drafts' },
  'blog.write': { label: 'Write and publish posts and pages', includes: 'blog.read' },
  'media.read': { label: 'View the media library' },
  'media.write': { label: 'Upload and delete pictures', includes: 'media.read' },
  'newsletter.manage': {
    label: 'Write newsletters and manage subscribers',
    hint: 'Shows the email addresses of all subscribers.',
  },
  'newsletter.send': { label: 'Send newsletters', includes: 'newsletter.manage' },
  'contact.manage': { label: 'Read and answer messages' },
  'users.read': {
    label: 'View users and roles',
    hint: 'Shows the email addresses of all users.',
  },
  'mail.read': { label: 'Read sent emails' },
  'mail.retry': { label: 'Resend emails', includes: 'mail.read' },
  'audit.read': { label: 'Read the audit log' },
  'settings.read': { label: 'View settings, menus and ads' },
  'settings.write': { label: 'Change settings, menus and ads', includes: 'settings.read' },
  'api.manage': { label: 'Manage API keys, webhooks, channels and witnesses' },
};

/** The rights in the order of the form. */
export const rightGroups: readonly { title: string; rights: readonly StaffRight[] }[] = [
  {
    title: 'Overview',
    rights: ['dashboard.read', 'earnings.read', 'earnings.write', 'audit.read'],
  },
  { title: 'Catalog', rights: ['catalog.read', 'catalog.write', 'feeds.import'] },
  { title: 'Content', rights: ['blog.read', 'blog.write', 'media.read', 'media.write'] },
  {
    title: 'People',
    rights: ['newsletter.manage', 'newsletter.send', 'contact.manage', 'users.read'],
  },
  {
    title: 'System',
    rights: ['settings.read', 'settings.write', 'mail.read', 'mail.retry', 'api.manage'],
  },
];

/** Returns the chosen rights with those that they include, in the order of the policy. */
export function withIncluded(chosen: ReadonlySet<string>): StaffRight[] {
  const included = new Set<string>(
    staffRights
      .flatMap((right) => (chosen.has(right) ? [rightWords[right].includes] : []))
      .filter((right) => right !== undefined),
  );
  return staffRights.filter((right) => chosen.has(right) || included.has(right));
}
