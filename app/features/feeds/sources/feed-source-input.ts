import { z } from 'zod';
import { type FeedField, feedFields, feedFormats } from '../formats/feed-fields.ts';

/** Where a source's feed is: sent by hand, fetched from an address, or taken from a folder below `feeds/`. */
export const sourceKinds = ['upload', 'url', 'folder'] as const;
export const decimalMarks = ['auto', 'point', 'comma'] as const;
/** Minutes between two runs that a person may choose. */
export const schedules = [15, 30, 60, 180, 360, 720, 1_440, 10_080] as const;

const ticked = z
  .string()
  .optional()
  .transform((value) => value === 'on');

export const feedSourceInput = z
  .object({
    name: z.string().trim().min(1, 'Name is required').max(100, 'At most 100 characters'),
    merchant: z.string().trim().min(1, 'Merchant is required').max(100, 'At most 100 characters'),
    kind: z.enum(sourceKinds),
    location: z.string().trim().max(2_048, 'At most 2,048 characters').default(''),
    format: z.enum(['auto', ...feedFormats]).default('auto'),
    decimal_mark: z.enum(decimalMarks).default('auto'),
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
    groups_variants: ticked,
    ends_missing: ticked,
    is_active: ticked,
  })
  .superRefine((input, context) => {
    const fault = locationFault(input);
    if (fault) context.addIssue({ code: 'custom', path: ['location'], message: fault });
    if (input.kind === 'upload' && input.schedule_minutes !== null) {
      const message = 'A file that is sent by hand has no schedule';
      context.addIssue({ code: 'custom', path: ['schedule_minutes'], message });
    }
  });

export type FeedSourceInput = z.output<typeof feedSourceInput>;

function locationFault({ kind, location }: { kind: string; location: string }): string | null {
  if (kind === 'url') {
    const url = URL.parse(location);
    return url?.protocol === 'http:' || url?.protocol === 'https:' ? null : 'Must be a valid URL';
  }
  if (kind === 'folder') {
    return /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/.test(location)
      ? null
      : 'A folder below the data folder’s "feeds", such as awin or partners/awin';
  }
  return null;
}

/** `map.title=product_name` of a form, as the mapping that is stored. */
export function readMapping(form: FormData): Partial<Record<FeedField, string>> {
  const mapping: Partial<Record<FeedField, string>> = {};
  for (const field of feedFields) {
    const column = form.get(`map.${field}`);
    if (typeof column === 'string' && column.trim() !== '') {
      mapping[field] = column.trim().slice(0, 200);
    }
  }
  return mapping;
}

/** `category.0.name` and `category.0.id` of a form: the feed's name and our category. */
export function readCategoryMapping(form: FormData): Record<string, number> {
  const mapping: Record<string, number> = {};
  for (let n = 0; n < 500; n++) {
    const name = form.get(`category.${n}.name`);
    if (typeof name !== 'string') break;
    const id = form.get(`category.${n}.id`);
    if (typeof id === 'string' && /^\d{1,15}$/.test(id)) mapping[name.slice(0, 500)] = Number(id);
  }
  return mapping;
}
