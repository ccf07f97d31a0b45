import { beforeEach, expect, test } from 'vitest';
import { insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
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
])('finds the deal when its address is typed as %s', async (typed) => {
  expect(await find(typed)).toEqual({ path: '/deals/lamp' });
});

test('finds the store or the words of a typed address when no deal has it', async () => {
  expect(await find('https://lumen.example')).toEqual({ path: '/merchants/lumen' });
  expect(await find('https://lumen.example/products/usb-c-cable.html')).toEqual({
    words: 'usb c cable',
  });
});

test.each(['lamp', '1.5 l', '6.1', 'usb-c', 'a/b'])(
  'does not read %j as an address',
  async (typed) => {
    expect(await find(typed)).toBeNull();
  },
);
