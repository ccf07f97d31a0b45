import { encodingChoices } from '#app/features/feeds/formats/feed-encodings.ts';
import type { FeedSourceRow } from '#app/features/feeds/sources/feed-source-queries.server.ts';
import type { SelectOption } from '#app/ui/select-field.tsx';
import type { FieldGroup } from '../frame/field-groups.tsx';
import { scheduleWords } from './import-words.ts';

const signInTitle = 'Sign-in';
const secretWords = { password: 'password', token: 'token', private_key: 'private key' };

const form = {
  labels: {
    name: 'Name',
    merchant: 'Merchant',
    location: 'Address or folder',
    user_name: 'User name',
    password: 'Password',
    token: 'Bearer token',
    private_key: 'Private key',
    forgets_sign_in: 'Forget the sign-in',
    forgets_host_key: 'Forget the server’s key',
    content: 'Contains',
    format: 'Format',
    encoding: 'Encoding',
    decimal_mark: 'Decimal mark',
    shop_url: 'Shop address',
    currency: 'Currency',
    fallback_category_id: 'Category',
    schedule_minutes: 'Schedule',
    groups_variants: 'One deal per group of variants',
    ends_missing: 'End deals missing from the feed',
    updates_only: 'Only update existing deals',
    is_active: 'Active',
  },
  groups: [
    {
      title: 'Feed',
      fields: [
        { name: 'name', required: true, maxLength: 100, autoComplete: 'off' },
        { name: 'merchant', required: true, maxLength: 100, autoComplete: 'off' },
        { name: 'location', isWide: true, required: true, autoComplete: 'off' },
        {
          name: 'content',
          hint: 'Coupons are codes of one or more merchants, without prices.',
          options: [
            { value: 'deals', label: 'Products' },
            { value: 'coupons', label: 'Coupons' },
          ],
        },
        { name: 'format' },
        {
          name: 'encoding',
          hint: 'For feeds whose characters look wrong. Ignored if the file has a byte-order mark.',
          options: encodingChoices,
        },
        {
          name: 'fallback_category_id',
          hint: 'For products whose category the site does not have.',
        },
        {
          name: 'shop_url',
          isWide: true,
          autoComplete: 'off',
          hint: 'For feeds without links, such as Shopify’s. Leave blank for the merchant’s website.',
        },
      ],
    },
    {
      title: signInTitle,
      hint: 'For feeds behind a password, a token or a key. Secrets are stored encrypted and never shown again.',
      fields: [
        { name: 'user_name', maxLength: 200, autoComplete: 'off' },
        { name: 'password', isSecret: true, autoComplete: 'off' },
        { name: 'token', isSecret: true, autoComplete: 'off', hint: 'For https.' },
        {
          name: 'private_key',
          rows: 3,
          autoComplete: 'off',
          hint: 'For SFTP, without a passphrase.',
        },
        { name: 'forgets_sign_in', isTick: true, isWide: true },
        { name: 'forgets_host_key', isTick: true, isWide: true },
      ],
    },
    {
      title: 'Prices',
      fields: [
        {
          name: 'decimal_mark',
          hint: 'Whether 1.299 means 1299 or 1.299, and 1999 means 1999 or 19.99.',
          options: [
            { value: 'auto', label: 'Detect automatically' },
            { value: 'point', label: 'Point: 1,299.00' },
            { value: 'comma', label: 'Comma: 1.299,00' },
            { value: 'none', label: 'None: 129900 for 1,299.00' },
          ],
        },
        {
          name: 'currency',
          hint: 'For prices without a currency; blank means the site’s. Prices in other currencies are rejected.',
          maxLength: 3,
          autoComplete: 'off',
        },
      ],
    },
    {
      title: 'Runs',
      fields: [
        { name: 'schedule_minutes' },
        {
          name: 'groups_variants',
          isTick: true,
          isWide: true,
          hint: 'Uses the price of the cheapest one in stock.',
        },
        {
          name: 'ends_missing',
          isTick: true,
          isWide: true,
          hint: 'Asks first if more than 30% would end. Deals that return to the feed are live again.',
        },
        {
          name: 'updates_only',
          isTick: true,
          isWide: true,
          hint: 'For supplemental feeds: changes only the columns it has, and never adds or ends deals.',
        },
        {
          name: 'is_active',
          isTick: true,
          isWide: true,
          hint: 'A paused source runs only when you start it.',
        },
      ],
    },
  ],
};

/** Listed separately from the schema's values, so that the browser need not load the schema. */
const schedules = [15, 30, 60, 180, 360, 720, 1_440, 10_080];

export const sourceLabels: Record<string, string> = form.labels;

/** Returns a source's form values as text. */
export function storedSource(source: FeedSourceRow): Record<string, string> {
  const stored = Object.entries(source).filter(([name]) => name in sourceLabels);
  return Object.fromEntries(
    stored.map(([name, value]) => {
      if (typeof value === 'boolean') return [name, value ? 'on' : ''];
      return [name, typeof value === 'string' || typeof value === 'number' ? String(value) : ''];
    }),
  );
}

/** Facts about the stored sign-in, without its secret. */
export interface StoredSignIn {
  kind: FeedSourceRow['secret_kind'];
  hostKey: string | null;
}

export function sourceGroups(
  kind: FeedSourceRow['kind'],
  signIn: StoredSignIn,
  categories: readonly { id: number; name: string }[],
  format: SelectOption[],
): FieldGroup[] {
  const found: Record<string, SelectOption[]> = {
    format,
    fallback_category_id: [
      { value: '', label: 'New merchant with the feed’s name' },
      ...categories.map(({ id, name }) => ({ value: String(id), label: name })),
    ],
    schedule_minutes: [
      { value: '', label: 'Manual' },
      ...schedules.map((minutes) => ({ value: String(minutes), label: scheduleWords(minutes) })),
    ],
  };
  const absent = new Set([
    ...(kind === 'upload' ? ['location', 'schedule_minutes'] : []),
    ...(signIn.kind === null ? ['forgets_sign_in'] : []),
    ...(signIn.hostKey === null ? ['forgets_host_key'] : []),
  ]);
  const hints: Record<string, string> = {
    ...(signIn.kind && {
      forgets_sign_in: `A ${secretWords[signIn.kind]} is stored. Leave the fields above blank to keep it.`,
    }),
    ...(signIn.hostKey && {
      forgets_host_key: `${signIn.hostKey}. Only if the server’s operator confirms that it has changed.`,
    }),
  };
  const groups: readonly FieldGroup[] = form.groups;
  return groups
    .filter(({ title }) => kind === 'url' || title !== signInTitle)
    .map(({ fields, ...group }) => ({
      ...group,
      fields: fields
        .filter(({ name }) => !absent.has(name))
        .map((field) => ({
          ...field,
          hint: hints[field.name] ?? field.hint,
          options: found[field.name] ?? field.options,
        })),
    }));
}
