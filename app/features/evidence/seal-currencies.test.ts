import { expect, test } from 'vitest';
import { voidPrice } from '#app/features/deals/void-prices.server.ts';
import { ask } from '#database/ask.ts';
import { useCurrencyShop } from '#test/currency-shop.ts';
import { useTestDatabase } from '#test/database.ts';
import { sealAfter } from '#test/factories/plant-evidence.ts';
import { readDealEvidence } from './evidence-queries.server.ts';
import { verifyEvidence } from './verify-evidence.ts';
import { verifyLog } from './verify-log.server.ts';

const database = useTestDatabase();
const { feed, setCurrency, theDeal, theLog } = useCurrencyShop(database);

test('keeps the chain intact when the currency changes and changes back', async () => {
  const { db } = database;
  let days = 0;
  const verify = async () => {
    await sealAfter(db, ++days);
    const { id } = await theDeal();
    expect(await verifyLog(db)).toMatchObject({ problems: [], notes: [] });
    const { problems, prices } = await verifyEvidence(await readDealEvidence(db, id));
    expect(problems).toEqual([]);
    return prices.map(({ amount, currency }) => `${amount} ${currency}`).toReversed();
  };
  await feed(4_000, 'USD');
  expect(await verify()).toEqual(['4000 USD']);
  await setCurrency('EUR');
  expect(await verify()).toEqual(['4000 USD']);
  await feed(900, 'EUR');
  await setCurrency('USD');
  await feed(3_500, 'USD');
  expect(await verify()).toEqual(await theLog());

  const lineId = await ask(db).value<number>`
    select id from price_log where currency = 'EUR'`;
  const { id: dealId } = await theDeal();
  const slip = { actor: 'u1', dealId, lineId: lineId ?? 0, reason: 'The currency was a slip' };
  expect(await voidPrice(db, slip)).toMatchObject({ ok: true });
  expect(await verify()).toEqual(['4000 USD', '900 EUR', '3500 USD']);
});
