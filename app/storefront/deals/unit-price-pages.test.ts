import { beforeEach, describe, expect, test } from 'vitest';
import { insertCategory, insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testSite } from '#test/site.ts';

const database = useTestDatabase();
const site = testSite(database);

let shelf: { category_id: number; merchant_id: number };
beforeEach(async () => {
  const category = await insertCategory(database.db, { slug: 'pantry' });
  const merchant = await insertMerchant(database.db);
  shelf = { category_id: category.id, merchant_id: merchant.id };
});

const insert = (title: string, sale_price: number, net_contents: string | null, day = 1) =>
  insertDeal(database.db, {
    ...shelf,
    title,
    slug: title.toLowerCase(),
    sale_price,
    net_contents,
    created_at: new Date(Date.UTC(2026, 0, day)),
  });

async function textAt(path: string): Promise<string> {
  const { html } = await site.page(path);
  return html
    .replace(/<script[\s\S]*?<\/script>/g, ' ')
    .replace(/<!-- -->/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
}

async function titlesAt(path: string): Promise<string[]> {
  const { html } = await site.page(path);
  return [...html.matchAll(/aria-label="View Deal: ([^"]*)"/g)].map(([, title = '']) => title);
}

describe('the price per unit', () => {
  test('shows a price per unit on the card and the page of a deal with known contents only', async () => {
    await insert('Coffee', 899, '700 g');
    await insert('Grinder', 4_900, null);
    expect((await textAt('/deals')).match(/\$12\.84 \/ kg/g)).toHaveLength(1);
    const page = await textAt('/deals/coffee');
    expect(page).toContain('Net contents 700 g $12.84 / kg');
    expect(page.match(/\$12\.84 \/ kg/g)).toHaveLength(2);
    expect(await textAt('/deals/grinder')).not.toMatch(/Net contents|\$49\.00 \/ /);
  });

  test('P35d: hides the price per unit with the price', async () => {
    await database.db
      .updateTable('merchants')
      .set({ hide_price_after_hours: 1 })
      .where('id', '=', shelf.merchant_id)
      .execute();
    await insertDeal(database.db, {
      ...shelf,
      slug: 'tea',
      sale_price: 899,
      net_contents: '700 g',
      price_checked_at: new Date(Date.now() - 7_200_000),
    });
    for (const path of ['/deals', '/deals/tea']) expect(await textAt(path)).not.toContain('12.84');
    expect((await site.page('/deals/tea')).html).not.toContain('UnitPriceSpecification');
    expect(await titlesAt('/deals?sort=unit_price')).toEqual([]);
  });
});

describe('the order by price per unit', () => {
  const option = '<option value="unit_price"';

  test('orders deals by price per unit within each kind of unit, and lists those without contents last', async () => {
    await insert('Grinder', 100, null, 1);
    await insert('Mill', 100, null, 2);
    await insert('Filters', 400, '100 ct');
    await insert('Syrup', 600, '750 ml');
    await insert('Beans', 2_000, '1 kg');
    await insert('Coffee', 899, '700 g');
    await insert('Decaf', 900, '16 oz');
    const ordered = ['Coffee', 'Decaf', 'Beans', 'Syrup', 'Filters', 'Mill', 'Grinder'];
    for (const list of ['/deals?sort=unit_price', '/categories/pantry?sort=unit_price']) {
      expect(await titlesAt(list)).toEqual(ordered);
      expect(await textAt(list)).toContain('Ordered by weight, volume, length, area and pieces');
    }
    expect(await textAt('/deals')).not.toContain('Ordered by weight');
  });

  test('orders search results by price per unit', async () => {
    await insert('Bean grinder', 100, null, 2);
    await insert('Bean tin', 2_000, '1 kg');
    await insert('Bean bag', 899, '700 g');
    const found = await titlesAt('/deals?search=bean&sort=unit_price');
    expect(found).toEqual(['Bean bag', 'Bean tin', 'Bean grinder']);
  });

  test('offers the order by price per unit once a live deal has known contents', async () => {
    await insert('Grinder', 4_900, null);
    for (const path of ['/deals', '/deals?search=grinder'])
      expect((await site.page(path)).html).not.toContain(option);
    expect((await site.page('/deals?sort=unit_price')).html).toContain(option);
    await insert('Coffee', 899, '700 g');
    for (const path of ['/deals', '/deals?search=grinder'])
      expect((await site.page(path)).html).toContain(option);
  });
});
