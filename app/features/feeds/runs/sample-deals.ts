import { z } from 'zod';
import { productKinds } from '#database/seed/product-art.ts';
import declaredSamples from './sample-deals.json' with { type: 'json' };

const sampleDeal = z.object({
  /** The sample's id at the merchant, so that the same sample is never imported twice. */
  id: z.string(),
  title: z.string(),
  description: z.string(),
  /** Minor units. */
  price: z.int(),
  originalPrice: z.int(),
  merchantName: z.string(),
  categoryName: z.string(),
  couponCode: z.string().optional(),
  expiresInDays: z.int(),
  /** The subject of the picture. */
  kind: z.enum(productKinds),
});
export type SampleDeal = z.infer<typeof sampleDeal>;

/**
 * The six deals of "Import sample deals", which end 2, 3, 5, 7, 10 and 12 days after their import.
 */
export const sampleDeals: readonly SampleDeal[] = z.array(sampleDeal).parse(declaredSamples);
