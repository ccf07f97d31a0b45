import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { editableCategories } from '#app/features/categories/editable-categories.server.ts';
import { changeDeals } from '#app/features/deals/change-deals.server.ts';
import { restoreFromTrash } from '#app/features/desk/restore-from-trash.server.ts';
import { trashKindNames } from '#app/features/desk/trash-kinds.ts';
import { editableMerchants } from '#app/features/merchants/editable-merchants.server.ts';
import { fold } from '#app/platform/fold.ts';
import { ask } from '#database/ask.ts';
import { useTestDatabase } from '#test/database.ts';
import { insertCategory, insertDeal, insertMerchant, insertUser } from '#test/factories/insert.ts';
import * as fc from '#test/fast-check.ts';
import { findFollowedDeals } from './find-followed-deals.server.ts';
import { listFollows, setMailedWeekly } from './follow-queries.server.ts';
import { type FollowTarget, targetKey } from './follow-target.ts';
import { mailFollows } from './mail-follows-job.server.ts';
import { follow, unfollow, unfollowAll } from './set-follow.server.ts';

// Compares random sequences of one user's actions with a plain filter over all deals. A failure
// prints its seed. TEST_SEED=random uses new sequences.

const database = useTestDatabase();
const seeds = process.env['TEST_SEED'] === 'random' ? [Date.now() | 0] : [1, 2, 3];

const brands = ['Lumo', 'LÚMO', 'Vela', ''];
const place = fc.nat({ max: 2 });
const kind = fc.nat({ max: 2 });
const step = fc.oneof(
  fc.record({ act: fc.constantFrom('follow', 'follow', 'unfollow'), kind, place }),
  fc.record({
    act: fc.constant('add'),
    merchant: place,
    category: place,
    brand: fc.nat({ max: 3 }),
  }),
  fc.record({ act: fc.constantFrom('end', 'hide', 'show', 'move'), deal: fc.nat(), place }),
  fc.record({ act: fc.constantFrom('trash', 'restore'), kind: fc.nat({ max: 1 }), place }),
  fc.record({ act: fc.constantFrom('mail', 'mail', 'forget') }),
);
interface Step {
  act: string;
  kind?: number;
  place?: number;
  merchant?: number;
  category?: number;
  brand?: number;
  deal?: number;
}

/** A shop with one user, and what the user follows according to the model. */
class Walk {
  merchants: number[] = [];
  categories: number[] = [];
  userId = '';
  followed = new Set<string>();
  /** Follows that a restore of their store or category brings back. */
  inTrash = new Set<string>();
  fresh = new Set<number>();
  /** The deals in all emails, and those that should have been there. */
  mailed: number[] = [];
  due: number[] = [];

  async begin(): Promise<void> {
    await database.reset();
    const { db } = database;
    this.userId = (await insertUser(db)).id;
    await setMailedWeekly(db, this.userId, true);
    for (let n = 0; n < 3; n += 1) {
      this.merchants.push((await insertMerchant(db)).id);
      this.categories.push((await insertCategory(db)).id);
    }
  }

  targetOf({ kind: of = 0, place: n = 0 }: Step): FollowTarget {
    if (of === 2) return { kind: 'brand', name: brands[n] ?? '' };
    const id = (of === 0 ? this.merchants : this.categories)[n] ?? 0;
    return { kind: of === 0 ? 'merchant' : 'category', id };
  }

  async take(one: Step): Promise<void> {
    const { db } = database;
    const target = this.targetOf(one);
    const key = targetKey(target);
    if (one.act === 'follow') {
      if ((await follow(db, this.userId, [target])).ok) this.followed.add(key);
    } else if (one.act === 'unfollow') {
      await unfollow(db, this.userId, target);
      this.followed.delete(key);
    } else if (one.act === 'forget') {
      await unfollowAll(db, this.userId);
      this.followed.clear();
      this.inTrash.clear();
    } else if (one.act === 'add') await this.add(one);
    else if (one.act === 'trash') await this.trash(target, key);
    else if (one.act === 'restore') await this.restore(target, key);
    else if (one.act === 'mail') await this.endWeek();
    else await this.change(one);
  }

  async add({ merchant = 0, category = 0, brand = 0 }: Step): Promise<void> {
    const merchant_id = this.merchants[merchant] ?? 0;
    const category_id = this.categories[category] ?? 0;
    const areThere = await ask(database.db).value<boolean>`
      select true from merchants m, categories c where m.id = ${merchant_id} and c.id = ${category_id}`;
    if (!areThere) return;
    const deal = { merchant_id, category_id, brand: brands[brand] };
    this.fresh.add((await insertDeal(database.db, deal)).id);
  }

  async change({ act, deal = 0, place: n = 0 }: Step): Promise<void> {
    const { db } = database;
    const ids = await ask(db).column<number>`select id from deals order by id`;
    const category_id = await ask(db).value<number>`
      select id from categories where id = ${this.categories[n] ?? 0}`;
    const values = {
      end: { expires_at: new Date(Date.now() - 1_000) },
      hide: { is_active: false },
      show: { is_active: true, expires_at: null },
      move: category_id === null ? {} : { category_id },
    }[act];
    const id = ids[deal % Math.max(1, ids.length)];
    if (id === undefined || !values || Object.keys(values).length === 0) return;
    await db.updateTable('deals').set(values).where('id', '=', id).execute();
  }

  async trash(target: FollowTarget, key: string): Promise<void> {
    const { db } = database;
    if (target.kind === 'brand') return;
    const column = sql.ref(`${target.kind}_id`);
    const ids = await ask(db).column<number>`select id from deals where ${column} = ${target.id}`;
    if (ids.length > 0) {
      await changeDeals(db, { actor: 'u1', verb: 'delete', categoryId: null }, { ids });
    }
    const rows = target.kind === 'merchant' ? editableMerchants : editableCategories;
    await rows.remove(db, target.id, 'u1');
    if (this.followed.delete(key)) this.inTrash.add(key);
  }

  async restore(target: FollowTarget, key: string): Promise<void> {
    if (target.kind === 'brand') return;
    const ids = await ask(database.db).column<number>`
      select id from trash_entries where entity = ${target.kind} and row_id = ${target.id}`;
    await restoreFromTrash(database.db, ids, { actor: 'u1', kinds: trashKindNames });
    if (this.inTrash.delete(key)) this.followed.add(key);
  }

  /** Moves everything a week into the past, and sends the week's email. */
  async endWeek(): Promise<void> {
    const { db } = database;
    const wanted = (await this.plainFilter()).filter((id) => this.fresh.has(id));
    this.fresh.clear();
    await sql`update deals set created_at = created_at - interval '7 days'`.execute(db);
    await sql`update users set follows_mailed_at = follows_mailed_at - interval '7 days'`.execute(
      db,
    );
    await mailFollows({ db });
    const mails = await ask(db).column<{ dealIds: number[] }>`
      delete from mail_outbox returning payload`;
    const told = mails.flatMap(({ dealIds }) => dealIds);
    this.mailed.push(...told);
    this.due.push(...wanted.slice(0, 12));
  }

  /** Returns the live deals that the user follows, newest first. */
  async plainFilter(): Promise<number[]> {
    const deals = await database.db.selectFrom('deals').selectAll().execute();
    const isFollowed = (deal: (typeof deals)[number]) =>
      this.followed.has(`merchant:${deal.merchant_id}`) ||
      this.followed.has(`category:${deal.category_id}`) ||
      (deal.brand !== null && this.followed.has(`brand:${fold(deal.brand)}`));
    return deals
      .filter(
        (deal) =>
          deal.is_active &&
          !deal.is_expired &&
          (deal.expires_at === null || deal.expires_at > new Date()) &&
          isFollowed(deal),
      )
      .toSorted((a, b) => b.created_at.getTime() - a.created_at.getTime() || b.id - a.id)
      .map(({ id }) => id);
  }
}

test.each(seeds)(
  'shows the same deals as a plain filter, and emails each deal once, with seed %i',
  async (seed) => {
    const steps = fc.array(step, { minLength: 10, maxLength: 40, size: 'max' });
    await fc.assert(
      fc.asyncProperty(steps, async (some) => {
        const walk = new Walk();
        await walk.begin();
        for (const one of some) {
          await walk.take(one);
          const follows = await listFollows(database.db, walk.userId);
          expect(follows.map(({ target }) => targetKey(target)).toSorted()).toEqual(
            [...walk.followed].toSorted(),
          );
          const wanted = await walk.plainFilter();
          const shown = await findFollowedDeals(database.db, follows, 1, 'checked');
          expect(shown).toMatchObject({ ids: wanted.slice(0, 24), total: wanted.length });
        }
        await walk.endWeek();
        expect(walk.mailed).toEqual(walk.due);
        expect(new Set(walk.mailed).size).toBe(walk.mailed.length);
      }),
      { seed, numRuns: 6 },
    );
  },
);
