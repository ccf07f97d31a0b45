import { z } from 'zod';
import { dealConditions } from '#database/schema.ts';
import { parseMoney } from '#app/platform/money.ts';
import { safeUrl } from '#app/platform/safe-url.ts';

const control = /(?![\t\n\r])\p{Cc}/gu;
const text = (longest: number) =>
  z
    .string()
    .transform((value) => value.toWellFormed().normalize('NFC').replace(control, '').trim())
    .pipe(z.string().max(longest, `Must be at most ${longest} characters`));
const url = z.string().transform((value, context) => {
  const address = safeUrl(value);
  if (address === null) context.addIssue({ code: 'custom', message: 'Must be a valid URL' });
  return address ?? z.NEVER;
});
/** A picture may be one of our own, `/media/…`. */
const pictureUrl = z.string().transform((value, context) => {
  const path = value.trim();
  const address = /^\/media\/[\w./-]+$/.test(path) && !path.includes('..') ? path : safeUrl(path);
  if (address === null) context.addIssue({ code: 'custom', message: 'Must be a valid URL' });
  return address ?? z.NEVER;
});
const orNull = <T extends z.ZodType>(schema: T) =>
  z.preprocess(
    (value) =>
      value === undefined || (typeof value === 'string' && value.trim() === '') ? null : value,
    schema.nullable(),
  );
const price = z.string().transform((value, context) => {
  const cents = parseMoney(value);
  if (cents === null || cents <= 0) {
    context.addIssue({ code: 'custom', message: 'Must be a price greater than 0' });
    return z.NEVER;
  }
  return cents;
});
const idOf = (message: string) =>
  z.coerce.number(message).int(message).positive(message).max(Number.MAX_SAFE_INTEGER, message);

/** A deal as a form or the command line gives it: texts in, prices as people write them; cents and dates out. */
export const dealInput = z
  .object({
    title: text(200).pipe(z.string().min(1, 'Title is required')),
    slug: text(100).default(''),
    description: text(5_000).default(''),
    sale_price: price,
    original_price: orNull(price),
    coupon_code: orNull(text(64)),
    image_url: orNull(pictureUrl),
    deal_url: url,
    expires_at: orNull(z.coerce.date('Must be a date')),
    merchant_id: idOf('Merchant is required'),
    category_id: idOf('Category is required'),
    status: z.enum(['new', 'used']).default('new'),
    condition: orNull(z.enum(dealConditions)),
    seller_type: z.enum(['amazon', 'third_party']).default('amazon'),
    availability: z.enum(['in_stock', 'out_of_stock', 'unknown']).default('unknown'),
    is_active: z.boolean().default(true),
    is_featured: z.boolean().default(false),
    brand: orNull(text(100)),
    gtin: orNull(
      z
        .string()
        .trim()
        .regex(/^(\d{8}|\d{12,14})$/, 'Must be 8, 12, 13 or 14 digits'),
    ),
  })
  // A condition says how used a used thing is; on a new one it would contradict the status.
  .transform((deal) => (deal.status === 'new' ? { ...deal, condition: null } : deal));

export type DealInput = z.output<typeof dealInput>;
