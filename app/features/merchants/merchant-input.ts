import { z } from 'zod';
import {
  amount,
  orNull,
  pictureUrl,
  slugText,
  text,
  tick,
  url,
} from '#app/platform/input-fields.ts';
import { searchFields, shareImage } from '#app/features/catalog/search-input.ts';
import { templateProblem } from './affiliate-template.ts';

/**
 * Sub-ids in links to the store: by the link's network (`auto`), none (`off`), or for a certain
 * network.
 */
export const subIdNetworks = [
  'auto',
  'off',
  'awin',
  'cj',
  'rakuten',
  'impact',
  'shareasale',
  'tradedoubler',
  'admitad',
] as const;
export type SubIdNetwork = (typeof subIdNetworks)[number];

const hours = z
  .string()
  .trim()
  .regex(/^\d{1,4}$/, 'Must be a whole number of hours')
  .transform(Number)
  .refine((value) => value > 0, 'Must be at least 1 hour');
const template = text(1_000).superRefine((value, context) => {
  const problem = templateProblem(value);
  if (problem) context.addIssue({ code: 'custom', message: problem });
});

/**
 * Parses a merchant's form: converts texts to minor units and hours. Forms omit unchecked boxes.
 */
export const merchantInput = (currency: string) =>
  z.object({
    name: text(100).pipe(z.string().min(1, 'Name is required')),
    slug: slugText,
    description: text(2_000).default(''),
    logo_url: orNull(pictureUrl),
    website_url: orNull(url),
    seller_type: z.enum(['amazon', 'third_party']).default('third_party'),
    is_featured: tick,
    affiliate_template: orNull(template),
    affiliate_sub_id: orNull(text(100)),
    sub_id_network: z.enum(subIdNetworks).default('auto'),
    free_shipping_over: orNull(amount(currency)),
    standard_shipping: orNull(amount(currency)),
    matches_freely: tick,
    keep_history: tick,
    allow_alerts: tick,
    hide_price_after_hours: orNull(hours),
    show_price_timestamp: tick,
    price_disclaimer: orNull(text(500)),
    keeps_pictures: tick,
    check_reply: orNull(text(2_000)),
    ...searchFields,
    share_image_url: shareImage,
  });

export type MerchantInput = z.output<ReturnType<typeof merchantInput>>;
