import { expect, test } from 'vitest';
import { unitPriceOf } from './unit-price.ts';

test.each([
  [899, '700 g', 'USD', '$12.84 / kg'],
  [899, '700 g per 100 g', 'USD', '$1.28 / 100 g'],
  [499, '1980 ml', 'EUR', '€2.52 / l'],
  [1_299, '24 ct', 'USD', '$0.54 / piece'],
  [249, '12 ct per 10 ct', 'USD', '$2.08 / 10 pieces'],
  [2_000, '4 m', 'GBP', '£5.00 / m'],
  [4_500, '2.5 sqm', 'CHF', 'CHF\u00a018.00 / m²'],
  // American units on a site in dollars, and metric units elsewhere
  [499, '12 oz', 'USD', '$0.42 / oz'],
  [499, '5 lb', 'USD', '$1.00 / lb'],
  [249, '1 gal', 'USD', '$0.019 / fl oz'],
  [300, '36 in', 'USD', '$1.00 / ft'],
  [499, '12 oz', 'EUR', '€14.67 / kg'],
  // prices for which minor units are too coarse
  [299, '500 ct', 'USD', '$0.006 / piece'],
  [995, '100 ct', 'USD', '$0.10 / piece'],
  [298, '500 ct', 'JPY', '¥0.6 / piece'],
  [298, '500 g', 'JPY', '¥596 / kg'],
  [1_500, '250 g', 'KWD', 'KWD\u00a06.000 / kg'],
])('shows the unit price of %d for %s in %s as %s', (price, contents, currency, text) => {
  expect(unitPriceOf(price, contents, currency)?.text).toBe(text);
});

test('rounds half a minor unit up', () => {
  expect(unitPriceOf(201, '2 ct', 'USD')?.price).toBe(101);
  expect(unitPriceOf(1_005, '10 ct', 'USD')?.price).toBe(101);
});

test.each([null, '', 'anything', '1 kg', '1000 g', '100 g per 100 g', '1 ct'])(
  'shows no price per unit for %j, which is unknown or would only repeat the price',
  (contents) => {
    expect(unitPriceOf(899, contents, 'USD')).toBeNull();
  },
);
