import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import * as fc from '#test/fast-check.ts';
import { expect, test } from 'vitest';
import { insertDeal, insertMerchant, insertProduct, insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { check, type Offer, type World } from '#test/product-watch-model.ts';
import { deleteDeals, restoreDeals } from '#app/features/deals/delete-deals.server.ts';
import { ask } from '#database/ask.ts';
import { readProductWish } from './product-wish.server.ts';
import { changeWatchedSearch, saveWatchedSearch } from './watched-search-queries.server.ts';

// Random offers, merges, deletions and watches are compared with a naive implementation of the
// rules (test/product-watch-model.ts). A failure prints its seed and the shortest failing sequence.
// TEST_SEED=random uses new sequences.

const database = useTestDatabase();
const seeds = process.env['TEST_SEED'] === 'random' ? [Date.now() | 0] : [1, 2, 3, 4];
const owners = 3;
const products = 2;
const offers = 4;

const flag = fc.boolean();
const price = fc.constantFrom(5_000, 6_000, 7_000, 8_000);
const offer = fc.nat({ max: offers - 1 });
const product = fc.nat({ max: products - 1 });
const owner = fc.nat({ max: owners - 1 });
const anyChange = fc.record(
  {
    price,
    shipping: fc.constantFrom(null, 0, 1_000),
    isUsed: flag,
    isLive: flag,
    isInStock: flag,
    product: fc.constantFrom(null, 0, 1),
  },
  { requiredKeys: [] },
);
const change = fc.oneof(
  { weight: 2, arbitrary: fc.record({ price }) },
  { weight: 1, arbitrary: anyChange },
) as fc.Arbitrary<Partial<Offer>>;
const step = fc.oneof(
  { weight: 12, arbitrary: fc.record({ offer, change }) },
  { weight: 2, arbitrary: fc.record({ trash: offer }) },
  { weight: 1, arbitrary: fc.record({ merge: product }) },
  {
    weight: 5,
    arbitrary: fc.record({
      watch: product,
      owner,
      max: fc.option(price),
      isUsed: fc.constantFrom(false, false, true),
      withShipping: fc.constantFrom(true, true, false),
    }),
  },
  { weight: 1, arbitrary: fc.record({ stop: product, owner }) },
  { weight: 1, arbitrary: fc.record({ days: fc.constantFrom(10, 31) }) },
  // A run of the job that is killed after this number of steps. The next run continues.
  { weight: 3, arbitrary: fc.record({ killed: fc.constantFrom(1, 2, 3) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
const walk = fc.array(step, { minLength: 12, maxLength: 40, size: 'max' });

interface Shop {
  users: string[];
  productIds: number[];
  dealIds: number[];
  batches: Map<number, string>;
}

test.each(seeds)('notifies owners by the rules in random sequences, seed %i', async (seed) => {
  const stores: number[] = [];
  for (let n = 0; n < offers; n++) stores.push((await insertMerchant(database.db)).id);
  let shops = 0;
  await fc.assert(
    fc.asyncProperty(walk, fc.constantFrom(1, 2, 2_000), async (steps, most) => {
      const shop = await makeShop(stores, (shops += 1));
      const world = newWorld();
      for (const one of steps) {
        play(world, one);
        await doStep(shop, one);
        if ('killed' in one) await runUntilKilled(one.killed);
        if (!('change' in one)) await compare(world, shop, most);
      }
      await compare(world, shop, most);
    }),
    { seed, numRuns: 12 },
  );
});

function newWorld(): World {
  const first = { shipping: 0, isUsed: false, isLive: true, isInStock: true, isDeleted: false };
  return {
    day: 0,
    offers: Array.from({ length: offers }, (_, n) => ({ ...first, product: n % 2, price: 8_000 })),
    watches: [],
    mergedInto: [null, null],
    lows: new Map(),
  };
}

async function makeShop(stores: number[], n: number): Promise<Shop> {
  const { db } = database;
  await sql`delete from watched_searches`.execute(db);
  await sql`delete from product_lows`.execute(db);
  await sql`delete from product_checks`.execute(db);
  const shop: Shop = { users: [], productIds: [], dealIds: [], batches: new Map() };
  for (let of = 0; of < owners; of++) shop.users.push((await insertUser(db)).id);
  for (let of = 0; of < products; of++) {
    const { id } = await insertProduct(db, { gtin: `${n}-${of}`, slug: `p-${n}-${of}` });
    shop.productIds.push(id);
  }
  for (const [of, merchant_id] of stores.entries()) {
    const product_id = shop.productIds[of % 2] ?? null;
    // Links by staff are kept, so a restored deal returns to its product.
    const place = { merchant_id, product_id, product_confirmed: true, original_price: null };
    const deal = { sale_price: 8_000, shipping_cost: 0, gtin: `of ${of}` };
    shop.dealIds.push((await insertDeal(db, { ...place, ...deal })).id);
  }
  return shop;
}

function play(world: World, one: Step): void {
  if ('change' in one) {
    const changed = world.offers[one.offer];
    if (changed && !changed.isDeleted) Object.assign(changed, inModel(world, one.change));
  } else if ('trash' in one) flip(world, one.trash);
  else if ('merge' in one) merge(world, one.merge);
  else if ('days' in one) world.day += one.days;
  else if ('stop' in one) {
    const present = world.watches.find((w) => w.owner === one.owner && w.product === one.stop);
    if (present) present.isActive = false;
  } else if ('watch' in one) {
    const { watch: of, ...wish } = one;
    const present = world.watches.find((w) => w.owner === one.owner && w.product === of);
    const fresh = { ...wish, isActive: true, isNew: true };
    if (present) Object.assign(present, fresh);
    else world.watches.push({ ...fresh, product: of, told: null, mails: 0 });
  }
}

/** A deal cannot join a product that was merged into the other. */
function inModel({ mergedInto }: World, changed: Partial<Offer>): Partial<Offer> {
  const { product: to } = changed;
  return to === undefined || to === null ? changed : { ...changed, product: mergedInto[to] ?? to };
}

function flip(world: World, n: number): void {
  const one = world.offers[n];
  if (one) one.isDeleted = !one.isDeleted;
}

/** Merges the product into the other, or undoes the merge. */
function merge(world: World, n: number): void {
  const other = 1 - n;
  if (world.mergedInto[other] !== null) return;
  const isMerged = world.mergedInto[n] !== null;
  world.mergedInto[n] = isMerged ? null : other;
  for (const [place, one] of world.offers.entries()) {
    // Undoing a merge returns the deals that originally belonged to the product.
    if (one.isDeleted || one.product === null) continue;
    if (isMerged ? place % 2 === n : one.product === n) one.product = isMerged ? n : other;
  }
}

async function doStep(shop: Shop, one: Step): Promise<void> {
  const { db } = database;
  const { users, productIds, dealIds } = shop;
  if ('change' in one) await changeDeal(shop, one);
  else if ('trash' in one) await trash(shop, dealIds[one.trash] ?? 0);
  else if ('merge' in one) await mergeProducts(shop, one.merge);
  else if ('days' in one) {
    await sql`update product_lows set at = at - make_interval(days => ${one.days})`.execute(db);
  } else if ('stop' in one) {
    const own = { userId: users[one.owner] ?? '' };
    const id = await ask(db).value<number>`
      select id from watched_searches where user_id = ${own.userId} and product_id = ${productIds[one.stop]}`;
    if (id !== null) await changeWatchedSearch(db, own, id, { is_active: false });
  } else if ('watch' in one) {
    const slug = await ask(db).value<string>`
      select slug from products where id = ${productIds[one.watch]}`;
    const max = one.max === null ? '' : `&max=${one.max}`;
    const condition = one.isUsed ? 'used' : 'new';
    const address = `/products/${slug}?condition=${condition}&shipping=${one.withShipping ? 1 : 0}${max}`;
    const watchable = await readProductWish(db, address, 'USD');
    if (!watchable) throw new Error(address);
    await saveWatchedSearch(db, { userId: users[one.owner] ?? '' }, watchable, 'at_once');
  }
}

async function changeDeal(
  { dealIds, productIds }: Shop,
  { offer: n, change: changed }: Extract<Step, { change: unknown }>,
): Promise<void> {
  const { price: sale_price, shipping, isUsed, isLive, isInStock, product: to } = changed;
  const roots = await ask(database.db).column<number>`
    select current_product(id) from unnest(${productIds}::bigint[]) id`;
  await database.db
    .updateTable('deals')
    .set({
      updated_at: sql`now()`,
      ...(sale_price !== undefined && { sale_price }),
      ...(shipping !== undefined && { shipping_cost: shipping }),
      ...(isUsed !== undefined && { status: isUsed ? ('used' as const) : ('new' as const) }),
      ...(isUsed !== undefined && { condition: isUsed ? ('good' as const) : null }),
      ...(isLive !== undefined && { is_active: isLive }),
      ...(isInStock !== undefined && { availability: isInStock ? 'in_stock' : 'out_of_stock' }),
      ...(to !== undefined && { product_id: to === null ? null : (roots[to] ?? null) }),
      product_confirmed: true,
    })
    .where('id', '=', dealIds[n] ?? 0)
    .execute();
}

async function trash({ batches }: Shop, id: number): Promise<void> {
  const batch = batches.get(id);
  await database.db.transaction().execute(async (tx) => {
    if (batch !== undefined) {
      batches.delete(id);
      expect((await restoreDeals(tx, { ids: [id], batch })).restored).toEqual([id]);
      return;
    }
    batches.set(id, randomUUID());
    await deleteDeals(tx, { ids: [id], batch: batches.get(id) ?? '', actor: 'u1' });
  });
}

async function mergeProducts({ productIds, dealIds }: Shop, n: number): Promise<void> {
  const [one, other] = [productIds[n], productIds[1 - n]];
  await database.db.transaction().execute(async (tx) => {
    const rows = await ask(tx).rows<{ id: number; merged_into: number | null }>`
      select id, merged_into from products where id = any(${productIds}::bigint[])`;
    const intoOf = (id: number | undefined) => rows.find((row) => row.id === id)?.merged_into;
    if (intoOf(other) !== null) return;
    const isMerged = intoOf(one) !== null;
    await sql`update products set merged_into = ${isMerged ? null : other} where id = ${one}`.execute(
      tx,
    );
    const began = dealIds.filter((_, place) => place % 2 === n);
    await (
      isMerged
        ? sql`update deals set product_id = ${one} where id = any(${began}::bigint[]) and product_id is not null`
        : sql`update deals set product_id = ${other} where product_id = ${one}`
    ).execute(tx);
  });
}

/** Runs only the first steps of the job, each with one row. */
async function runUntilKilled(steps: number): Promise<void> {
  const all = [() => sql`select check_products(1)`, () => sql`select spread_lows(1)`];
  for (let n = 0; n < steps; n++) await all[n % 2]?.().execute(database.db);
}

async function compare(world: World, shop: Shop, most: number): Promise<void> {
  const { db } = database;
  await sql`update product_checks set due_at = now()`.execute(db);
  while (await ask(db).value<number>`select check_products(${most})`);
  while (await ask(db).value<number>`select spread_lows(${most})`);
  check(world);
  const rows = await ask(db).rows<{ user_id: string; product_id: number; waiting: number }>`
    select user_id, product_id, waiting from watched_searches order by id`;
  // Resets the counts as the job does when it queues emails, so that each comparison covers one
  // round.
  await sql`update watched_searches set waiting = 0, waiting_deals = '{}'`.execute(db);
  const sent = rows.map((row) => ({
    owner: shop.users.indexOf(row.user_id),
    product: shop.productIds.indexOf(row.product_id),
    mails: row.waiting,
  }));
  const expected = world.watches.map(({ owner: by, product: of, mails }) => ({
    owner: by,
    product: of,
    mails,
  }));
  for (const watch of world.watches) watch.mails = 0;
  expect(byOwner(sent)).toEqual(byOwner(expected));
}

/** An owner whose products are merged gets one email, whichever of the watches sends it. */
function byOwner(sent: { owner: number; mails: number }[]): Record<number, number> {
  const sums: Record<number, number> = {};
  for (const { owner: by, mails } of sent) sums[by] = (sums[by] ?? 0) + mails;
  return sums;
}
