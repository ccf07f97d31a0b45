import { z } from 'zod';
import { conditionClasses } from '#app/features/products/compare-offers.ts';
import { address, count, dealFields, id, money, named, time } from './api-schemas.ts';

const conditionClass = z.enum(conditionClasses).describe('Offers are compared within a class.');

const offer = named(
  'Offer',
  dealFields
    .extend({
      condition_class: conditionClass,
      shipping: money
        .nullable()
        .describe('The cost of shipping by deal or store; null if unknown.'),
      total: money.nullable().describe('The price with shipping; null if either is unknown.'),
    })
    .describe('A deal as an offer of a product.'),
);

export const product = named(
  'Product',
  z
    .object({
      id,
      slug: z.string(),
      title: z.string(),
      gtin: z.string().nullable(),
      url: address,
      condition_class: conditionClass.nullable().describe('The class of `from` and `lowest_ever`.'),
      stores: count.describe('The stores that sell it in this class.'),
      from: money.nullable().describe('The lowest total; without one, the lowest price.'),
      includes_shipping: z.boolean().describe('Whether `from` contains the shipping.'),
      offers: z.array(offer).describe('Offers with a total, the lowest of each class first.'),
      shipping_not_stated: z.array(offer).describe('Offers with an unknown cost of shipping.'),
      not_compared: z.array(offer).describe('Offers out of stock or with a hidden price.'),
      variants: z
        .array(z.object({ slug: z.string(), label: z.string(), url: address }))
        .describe('Other colours, sizes and so on, each a product of its own.'),
      lowest_ever: z
        .object({ price: money, store: z.string(), at: time })
        .nullable()
        .describe('The lowest price that we saw at any of these stores, without shipping.'),
    })
    .describe('A product with the live deals of its stores.'),
);
