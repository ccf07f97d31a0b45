import { z } from 'zod';
import { readText } from '#app/platform/read-text.ts';
import { checkSourceAddress, schemeOf } from './source-address.ts';
import { safeUrl } from '#app/platform/safe-url.ts';
import { feedEncodings } from '../formats/feed-encodings.ts';
import { feedFields, type FeedMapping } from '../formats/feed-fields.ts';
import { feedFormats } from '../formats/feed-formats.server.ts';

/** The selectable intervals between two runs, in minutes. */
export const schedules = [15, 30, 60, 180, 360, 720, 1_440, 10_080] as const;

const ticked = z
  .string()
  .optional()
  .transform((value) => value === 'on');

const typedOnce = (most: number) =>
  z
    .string()
    .trim()
    .max(most, `At most ${most.toLocaleString('en-US')} characters`)
    .default('')
    .transform((text) => text || null);

export const feedSourceInput = z
  .object({
    name: z.string().trim().min(1, 'Name is required').max(100, 'At most 100 characters'),
    merchant: z.string().trim().min(1, 'Merchant is required').max(100, 'At most 100 characters'),
    /** The kind of source: an upload, a URL, or a folder inside `feeds/`. */
    kind: z.enum(['upload', 'url', 'folder']),
    location: z.string().trim().max(2_048, 'At most 2,048 characters').default(''),
    format: z.enum(['auto', ...feedFormats]).default('auto'),
    content: z.enum(['deals', 'coupons']).default('deals'),
    decimal_mark: z.enum(['auto', 'point', 'comma', 'none']).default('auto'),
    encoding: z.enum(feedEncodings).default('auto'),
    /** The shop's URL, for feeds with incomplete links. */
    shop_url: z
      .string()
      .trim()
      .max(2_048, 'At most 2,048 characters')
      .default('')
      .transform((text) => text && (checkedShop(text) ?? 'x'))
      .refine((text) => text !== 'x', 'Must be a valid URL')
      .transform((url) => url || null),
    currency: z
      .string()
      .trim()
      .toUpperCase()
      .regex(/^([A-Z]{3})?$/, 'Three letters, such as USD')
      .default('')
      .transform((code) => code || null),
    fallback_category_id: z
      .string()
      .regex(/^\d*$/)
      .default('')
      .transform((id) => (id === '' ? null : Number(id))),
    schedule_minutes: z
      .string()
      .default('')
      .refine((text) => text === '' || schedules.some((one) => String(one) === text))
      .transform((text) => (text === '' ? null : Number(text))),
    user_name: typedOnce(200),
    /** Secrets can be entered, but are never shown again. */
    password: typedOnce(1_000),
    token: typedOnce(8_000),
    private_key: z
      .string()
      .max(20_000, 'At most 20,000 characters')
      .default('')
      .transform((text) => text.replaceAll('\r\n', '\n').trim())
      .refine((text) => text === '' || /^-----BEGIN [\w ]*PRIVATE KEY-----\n/.test(text), {
        message: 'Must begin with -----BEGIN … PRIVATE KEY-----',
      })
      .transform((text) => (text === '' ? null : `${text}\n`)),
    /** Whether to remove the stored user name and secret. */
    forgets_sign_in: ticked,
    /** Whether to trust the SFTP server's next key. */
    forgets_host_key: ticked,
    groups_variants: ticked,
    ends_missing: ticked,
    updates_only: ticked,
    is_active: ticked,
  })
  .superRefine((input, context) => {
    const fault = locationFault(input);
    if (fault) context.addIssue({ code: 'custom', path: ['location'], message: fault });
    for (const [name, message] of Object.entries(signInFaults(input))) {
      context.addIssue({ code: 'custom', path: [name], message });
    }
    if (input.kind === 'upload' && input.schedule_minutes !== null) {
      const message = 'An uploaded file has no schedule';
      context.addIssue({ code: 'custom', path: ['schedule_minutes'], message });
    }
  });

export type FeedSourceInput = z.output<typeof feedSourceInput>;

/** Accepts `shop.example` without a protocol. */
function checkedShop(text: string): string | null {
  return safeUrl(/^https?:\/\//i.test(text) ? text : `https://${text}`);
}

function locationFault({ kind, location }: { kind: string; location: string }): string | null {
  if (kind === 'url') {
    const checked = checkSourceAddress(location);
    return checked.ok ? null : checked.message;
  }
  if (kind === 'folder') {
    return /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/.test(location)
      ? null
      : 'A folder inside "feeds" in the data folder, such as awin or partners/awin';
  }
  return null;
}

type SignInFields = 'user_name' | 'password' | 'token' | 'private_key';

/** Returns errors by field if the credentials do not fit the URL. */
function signInFaults(
  input: Record<SignInFields, string | null> & { location: string; kind: string },
): Partial<Record<SignInFields, string>> {
  const scheme = input.kind === 'url' ? schemeOf(input.location) : null;
  if (scheme === null) return {};
  const isWeb = scheme === 'http' || scheme === 'https';
  const given = (['password', 'token', 'private_key'] as const).filter((name) => input[name]);
  const [first, second] = given;
  if (second) return { [second]: 'Enter only one of password, token and private key' };
  if (first === 'token' && !isWeb) return { token: 'Tokens are for addresses with https://' };
  if (first === 'private_key' && scheme !== 'sftp') {
    return { private_key: 'Private keys are for addresses with sftp://' };
  }
  if (first !== undefined && first !== 'token' && input.user_name === null) {
    return { user_name: 'User name is required with a password or key' };
  }
  return {};
}

/** Parses form fields such as `map.title=product_name` as a mapping. */
export function readMapping(form: FormData): FeedMapping {
  const mapping: FeedMapping = {};
  for (const field of feedFields) {
    const column = readText(form, `map.${field}`).replaceAll('\r\n', '\n').trim().slice(0, 1_000);
    if (column !== '') mapping[field] = column;
  }
  return mapping;
}

/**
 * Parses the form fields `category.0.name` and `category.0.id`: the feed's name and our category.
 */
export function readCategoryMapping(form: FormData): Record<string, number> {
  const mapping: Record<string, number> = {};
  for (let n = 0; n < 500 && form.has(`category.${n}.name`); n++) {
    const name = readText(form, `category.${n}.name`).slice(0, 500);
    const id = readText(form, `category.${n}.id`);
    if (/^\d{1,15}$/.test(id)) mapping[name] = Number(id);
  }
  return mapping;
}
