import { z } from 'zod';
import { dealConditions } from '#database/schema/catalog-tables.ts';
import { checkGtin } from './gtin.ts';
import { readContents } from './net-contents.ts';
import {
  amount,
  hasWord,
  idOf,
  orNull,
  pictureUrl,
  price,
  readAs,
  text,
  url,
} from '#app/platform/input-fields.ts';

/**
 * Parses a deal from a form or the command line. Texts and typed prices become minor units and
 * dates.
 */
export const dealInput = (currency: string) =>
  z
    .object({
      title: text(200).pipe(z.string().min(1, 'Title is required')),
      slug: text(100)
        .refine((slug) => slug === '' || hasWord(slug), 'Slug must contain a letter or a number')
        .default(''),
      description: text(5_000).default(''),
      sale_price: price(currency),
      original_price: orNull(price(currency)),
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
          .regex(/^(\d{8}|\d{12,14})$/, 'Must be 8, 12, 13 or 14 digits')
          .transform((digits, context) => {
            const checked = checkGtin(digits);
            if (checked.ok) return checked.gtin;
            context.addIssue(`Not a valid GTIN: ${checked.reason}`);
            return z.NEVER;
          }),
      ),
      mpn: orNull(text(70)),
      net_contents: orNull(
        readAs(
          readContents,
          () => 'Must be an amount with a unit, such as 700 g, 6 x 330 ml or 24 pieces',
        ),
      ),
      shipping_cost: orNull(amount(currency)),
    })
    // Drops the condition of a new product, since conditions describe used ones.
    .transform((deal) => ({
      ...deal,
      currency,
      ...(deal.status === 'new' && { condition: null }),
    }));

export type DealInput = z.output<ReturnType<typeof dealInput>>;
