import type { Right } from '#app/features/accounts/policy.ts';

interface Kind {
  one: string;
  many: string;
  /** The right that restores items of this kind. */
  right: Right;
  table: string;
  /** The URL folder of its public page, if it has one. */
  folder?: string;
  /** The unique index that a restore violates if another row has the code or path now. */
  unique?: string;
  /** Values that replace those of a restored row. */
  restoredWith?: Record<string, boolean | null>;
  /** The columns that the audit log shows after a restore, if the others may contain secrets. */
  logged?: readonly string[];
}

const slug = (table: string) => `${table}_slug_key`;

/** The kinds of deleted items by their names in the audit log, owners first. */
export const trashKinds = {
  merchant: {
    one: 'merchant',
    many: 'merchants',
    right: 'catalog.write',
    table: 'merchants',
    folder: '/merchants',
    unique: slug('merchants'),
  },
  category: {
    one: 'category',
    many: 'categories',
    right: 'catalog.write',
    table: 'categories',
    folder: '/categories',
    unique: slug('categories'),
  },
  deal: { one: 'deal', many: 'deals', right: 'catalog.write', table: 'deals', folder: '/deals' },
  coupon: {
    one: 'coupon',
    many: 'coupons',
    right: 'catalog.write',
    table: 'coupons',
    unique: 'coupons_code_key',
  },
  'feed-source': {
    one: 'feed source',
    many: 'feed sources',
    right: 'feeds.import',
    table: 'feed_sources',
    restoredWith: { is_active: false, next_run_at: null },
    logged: ['name', 'kind', 'schedule_minutes'],
  },
  channel: {
    one: 'channel',
    many: 'channels',
    right: 'api.manage',
    table: 'channels',
    restoredWith: { is_active: false },
    logged: ['name', 'kind'],
  },
  synonym: {
    one: 'synonym',
    many: 'synonyms',
    right: 'catalog.write',
    table: 'search_synonyms',
    unique: 'search_synonyms_words_key',
  },
  redirect: {
    one: 'redirect',
    many: 'redirects',
    right: 'catalog.write',
    table: 'address_redirects',
    unique: 'address_redirects_from_path_key',
  },
  post: {
    one: 'post',
    many: 'posts',
    right: 'blog.write',
    table: 'blog_posts',
    folder: '/blog',
    unique: slug('blog_posts'),
  },
  page: {
    one: 'page',
    many: 'pages',
    right: 'blog.write',
    table: 'site_pages',
    folder: '',
    unique: slug('site_pages'),
  },
  slot: { one: 'ad', many: 'ads', right: 'settings.write', table: 'slots' },
  picture: {
    one: 'picture',
    many: 'pictures',
    right: 'media.write',
    table: 'library_pictures',
    unique: 'library_pictures_hash_key',
  },
  newsletter: {
    one: 'newsletter',
    many: 'newsletters',
    right: 'newsletter.manage',
    table: 'newsletters',
  },
  right_set: {
    one: 'role',
    many: 'roles',
    right: 'users.change-role',
    table: 'right_sets',
    unique: 'right_sets_name',
  },
} as const satisfies Record<string, Kind>;

export type TrashKind = keyof typeof trashKinds;

export const trashKindNames = Object.keys(trashKinds).filter(isTrashKind);

export function isTrashKind(name: string): name is TrashKind {
  return Object.hasOwn(trashKinds, name);
}

export function trashKindOf(name: TrashKind): Kind {
  return trashKinds[name];
}

/** Returns the kinds that a user may restore. */
export function kindsFor(rights: { has(right: Right): boolean }): TrashKind[] {
  return trashKindNames.filter((name) => rights.has(trashKinds[name].right));
}

/** Any one of these rights is enough to open the trash. */
export const trashRights: readonly Right[] = [
  ...new Set(Object.values(trashKinds).map(({ right }) => right)),
];
