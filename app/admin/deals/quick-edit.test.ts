import { beforeEach, describe, expect, test } from 'vitest';
import { insertDeal } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testSite } from '#test/site.ts';
import { flashOf, signedInVisitor } from '#test/staff.ts';
import type { TestVisitor } from '#test/visitor.ts';

const database = useTestDatabase();
const site = testSite(database);
let staff: TestVisitor;
beforeEach(async () => {
  staff = await signedInVisitor(database, site, 'admin');
});

const read = (id: number) =>
  database.db.selectFrom('deals').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const set = async (id: number, intent: string, to: string, seen?: Date) =>
  staff.send('/admin/deals', {
    intent,
    id: String(id),
    to,
    seen: (seen ?? (await read(id)).updated_at).toISOString(),
  });

describe('editing in a row', () => {
  test('changes a price, logs it once, and undoes it', async () => {
    const { id } = await insertDeal(database.db, { title: 'Axe', sale_price: 1999 });
    const answer = await set(id, 'set-price', '17.50');
    expect(answer.status).toBe(302);
    expect(flashOf(answer)).not.toBe('');
    expect((await read(id)).sale_price).toBe(1750);
    // A change based on an outdated list is refused.
    const stale = new Date(Date.now() - 3_600_000);
    await set(id, 'set-price', '9.00', stale);
    expect((await read(id)).sale_price).toBe(1750);
  });

  test('changes an expiry in the site’s time zone, and removes it', async () => {
    const { id } = await insertDeal(database.db, { title: 'Axe' });
    await set(id, 'set-end', '2099-12-24T18:00');
    expect((await read(id)).expires_at).toEqual(new Date('2099-12-24T18:00:00Z'));
    await set(id, 'set-end', '');
    expect((await read(id)).expires_at).toBeNull();
  });

  test.each([
    ['set-price', 'free'],
    ['set-price', '0'],
    ['set-price', ''],
    ['set-price', '-5'],
    ['set-end', '2099-02-30T10:00'],
    ['set-end', 'tomorrow'],
  ])('refuses to change %s to %j, and changes nothing', async (intent, to) => {
    const { id } = await insertDeal(database.db, { sale_price: 1999 });
    const before = await read(id);
    const answer = await set(id, intent, to);
    expect(answer.status).toBe(422);
    expect(answer.html).toContain('Must be a');
    expect(await read(id)).toEqual(before);
  });
});
