import { describe, expect, test } from 'vitest';
import { ask } from '#database/ask.ts';
import { findDealById } from '#app/features/deals/deal-queries.server.ts';
import { defaultSettings, priceClaims } from '#app/features/site-settings/site-settings.ts';
import { useTestDatabase } from '#test/database.ts';
import { type PlantedPrice, plantDeal } from '#test/factories/plant-prices.ts';
import { judgeAskedPrice } from './judge-asked-price.server.ts';
import { noProof } from './price-proof.ts';
import { findPriceProofs } from './price-proof-queries.server.ts';

const database = useTestDatabase();
const twoPrices = [
  { daysAgo: 60, price: 6300 },
  { daysAgo: 2, price: 3900 },
];

/** The saving is smaller than the one from the usual price. */
const compared = { reference_price: 4200, low_30_before: 4200 };

/** Returns the sentence about a price for the deal, in minor units. */
async function place(id: number, amount: number, changes: Partial<typeof defaultSettings> = {}) {
  const { db } = database;
  const deal = { ...(await findDealById(db, id))!, ...compared };
  const proof = (await findPriceProofs(db, [deal])).get(id) ?? noProof;
  const site = { ...defaultSettings, ...changes };
  const { verdict } = judgeAskedPrice({ deal, proof }, amount, site, new Date());
  return verdict && verdict.price + verdict.rest;
}

const plant = (lines: PlantedPrice[], overrides: Parameters<typeof plantDeal>[2] = {}) =>
  plantDeal(database.db, lines, overrides);

describe.each(priceClaims)('a visitor’s price, with discounts of the basis “%s”,', (basis) => {
  const site = { priceClaims: basis };

  test.each([
    ['45', 4500, '$45, usually $63: lower than on 58 of the last 60 days'],
    ['an equal price', 3900, '$39, usually $63: lower than on 58 of the last 60 days'],
    ['a price below the lowest', 3000, '$30, usually $63: lower than on 60 of the last 60 days'],
    ['a price above the highest', 7000, '$70, usually $63: higher than on 60 of the last 60 days'],
  ])(
    'matches the log, regardless of what the store announced: %s',
    async (_name, amount, sentence) => {
      const id = await plant(twoPrices, { original_price: 9900 });
      expect(await place(id, amount, site)).toBe(sentence);
    },
  );

  test.each([
    [0.5, 'less than a day'],
    [1.5, '1 day'],
  ])('makes no comparison after only %s days of log', async (daysAgo, period) => {
    const id = await plant([{ daysAgo, price: 3900, struck: 9900 }]);
    const rest = `: we have watched this deal for ${period}, too briefly to judge a price`;
    expect(await place(id, 4500, site)).toBe(`$45${rest}`);
    expect(await place(id, 3900, site)).toBe(`$39${rest}`);
  });

  test('returns no verdict without a log', async () => {
    const id = await plant([], { sale_price: 3900, original_price: 9900 });
    expect(await place(id, 4500, site)).toBe('$45: we have no price history of this deal yet');
  });
});

test.each([
  [4500, '$45, $6 above the lowest in the 9 days that we have watched it'],
  [3900, '$39, the same as the lowest in the 9 days that we have watched it'],
  [3000, '$30, $9 below the lowest in the 9 days that we have watched it'],
])('compares %i with the lowest price of a short log', async (amount, sentence) => {
  const id = await plant([{ daysAgo: 9.5, price: 3900 }]);
  expect(await place(id, amount)).toBe(sentence);
});

test('does not describe a price as usual without a stored median', async () => {
  const id = await plant(twoPrices);
  await ask(database.db).rows`update price_proofs set usual_price = null`;
  const sentence = '$45, $6 above the lowest in the 60 days that we have watched it';
  expect(await place(id, 4500)).toBe(sentence);
});

test('counts the days at the price of a deal whose price never changed', async () => {
  const id = await plant([{ daysAgo: 60, price: 3900 }]);
  expect(await place(id, 3900)).toBe('$39, its usual price: the same as on 60 of the last 60 days');
});

test('compares an equal price even if the deal is out of stock', async () => {
  const lines = [
    { daysAgo: 60, price: 6300 },
    { daysAgo: 2, price: 3900, availability: 'out_of_stock' as const },
  ];
  const id = await plant(lines, { availability: 'out_of_stock' });
  const sentence = '$39, usually $63: lower than on 58 of the 58 days that we saw it on offer';
  expect(await place(id, 3900)).toBe(sentence);
});

test('ranks a price that equals a voided one in the same way as similar prices', async () => {
  const dealId = await plant([
    { daysAgo: 60, price: 6300 },
    { daysAgo: 2, price: 390 },
  ]);
  await ask(database.db).rows`
    insert into price_voids (line_id, deal_id, actor, reason)
    select id, deal_id, 'staff', 'A slip' from price_log where sale_price = 390`;
  for (const amount of [389, 390, 391]) {
    expect(await place(dealId, amount)).toContain(
      ', usually $63: lower than on 60 of the last 60 days',
    );
  }
});
