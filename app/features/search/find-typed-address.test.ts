import { beforeEach, expect, test } from 'vitest';
import { insertDeal, insertDeals, insertMerchant } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { ask } from '#database/ask.ts';
import { findTypedAddress } from './find-typed-address.server.ts';

const database = useTestDatabase();
const find = (typed: string) => findTypedAddress(database.db, typed);

beforeEach(async () => {
  const { db } = database;
  const { id } = await insertMerchant(db, {
    slug: 'lumen',
    website_url: 'https://www.lumen.example/',
  });
  await insertDeal(db, {
    slug: 'lamp',
    merchant_id: id,
    deal_url: 'https://www.lumen.example/p/Lamp-5/?color=red',
  });
});

test.each([
  'https://www.lumen.example/p/Lamp-5/?color=red',
  'lumen.example/p/Lamp-5',
  'http://LUMEN.example/p/Lamp-5?ref=mail#top',
])('finds the deal when its URL is typed as %s', async (typed) => {
  expect(await find(typed)).toEqual({ path: '/deals/lamp' });
});

test('finds only the product that a script’s parameters identify', async () => {
  const { db } = database;
  for (const id of [5, 6]) {
    const deal_url = `https://script.example/product.php?id=${id}&ref=feed`;
    await insertDeal(db, { slug: `script-${id}`, deal_url });
  }
  expect(await find('script.example/product.php?ref=me&id=6')).toEqual({ path: '/deals/script-6' });
  expect(await find('script.example/product.php?id=7')).toEqual({ words: 'product' });
  expect(await find('script.example/product.php')).toEqual({ words: 'product' });
});

test('finds a product by its id parameter when many products share one script', async () => {
  const { db } = database;
  const merchant_id = (await insertMerchant(db, { slug: 'script' })).id;
  for (let id = 1; id <= 60; id++) {
    const deal_url = `https://script.example/product.php?id=${id}&ref=feed`;
    await insertDeal(db, { slug: `script-${id}`, merchant_id, deal_url });
  }
  expect(await find('script.example/product.php?ref=me&id=3')).toEqual({ path: '/deals/script-3' });
});

test('finds the deal with the same network link, but no deal for another target', async () => {
  const network = 'https://www.network.example/cread.php?awinmid=12&ued=https%3A%2F%2Fshop.example';
  await insertDeal(database.db, { slug: 'p-48', deal_url: `${network}%2Fp%2F48` });
  await insertDeal(database.db, { slug: 'p-4', deal_url: `${network}%2Fp%2F4` });
  expect(await find(`${network}%2fp%2f4&clickref=me`)).toEqual({ path: '/deals/p-4' });
  expect(await find(`${network}%2Fp%2F5`)).toEqual({ words: 'cread' });
});

test('finds the link among many from a network whose links begin with the account', async () => {
  const { db } = database;
  await insertDeals(db, 1_001);
  const link =
    'https://click.example/deeplink?id=Account&mid=7&murl=https%3A%2F%2Fshop.example%2Fp%2F';
  await ask(db).rows`
    update deals set slug = 'many-' || id, deal_url = ${link} || id where slug like 'plain-%'`;
  const ends = await ask(db).column<number>`
    select unnest(array[min(id), max(id)]) from deals where slug like 'many-%'`;
  for (const id of ends)
    expect(await find(`${link}${id}&u1=me`)).toEqual({ path: `/deals/many-${id}` });
});

test('finds links that contain an unencoded path with parameters', async () => {
  const deal_url = 'https://go.example/out?to=/p.php?id=5';
  await insertDeal(database.db, { slug: 'inner', deal_url });
  expect(await find(deal_url)).toEqual({ path: '/deals/inner' });
  expect(await find('https://go.example/out?to=/p.php?id=6')).toEqual({ words: 'out' });
});

test('ignores links to the previous page', async () => {
  const lamp = 'https://referred.example/lamp';
  await insertDeal(database.db, { slug: 'referred', deal_url: lamp });
  await insertDeal(database.db, { slug: 'referred-5', deal_url: `${lamp}?id=5` });
  const referrer = 'referrer=https%3A%2F%2Fblog.example';
  expect(await find(`${lamp}?${referrer}`)).toEqual({ path: '/deals/referred' });
  expect(await find(`${lamp}?${referrer}&id=5`)).toEqual({ path: '/deals/referred-5' });
});

test('requires parameters that both links have to be equal, except campaign parameters', async () => {
  const deal_url = 'https://app.example/shop?view=30&utm_source=feed';
  await insertDeal(database.db, { slug: 'view-30', deal_url });
  expect(await find('app.example/shop?view=30&utm_source=me')).toEqual({ path: '/deals/view-30' });
  expect(await find('app.example/shop?view=3')).toEqual({ words: 'shop' });
});

test('compares long URLs to their end', async () => {
  const long = `https://long.example/${'lamp-'.repeat(20)}`;
  await insertDeal(database.db, { slug: 'long', deal_url: `${long}1` });
  expect(await find(`${long}1`)).toEqual({ path: '/deals/long' });
  expect(await find(`${long}2`)).not.toEqual({ path: '/deals/long' });
});

test('finds the store or the words of a typed URL if no deal has the URL', async () => {
  expect(await find('https://lumen.example')).toEqual({ path: '/merchants/lumen' });
  expect(await find('https://lumen.example/products/usb-c-cable.html')).toEqual({
    words: 'usb c cable',
  });
});

test.each(['lamp', '1.5 l', '6.1', 'usb-c', 'a/b'])('does not read %j as a URL', async (typed) => {
  expect(await find(typed)).toBeNull();
});
