import * as fc from '#test/fast-check.ts';
import { expect, test } from 'vitest';
import { insertBlogPost, insertDeal } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { deletePost, restorePost } from '#app/features/blog/change-post.server.ts';
import { changeDeals, undoDeletion } from '#app/features/deals/change-deals.server.ts';
import {
  addSynonyms,
  deleteSynonyms,
  listSynonyms,
} from '#app/features/search/change-synonyms.server.ts';
import { ask } from '#database/ask.ts';
import { purgeTrash, restoreFromTrash } from './restore-from-trash.server.ts';
import { trashKindNames } from './trash-kinds.ts';

// Compares random sequences of deletions, undos, restores and purges with a naive model. A failure
// prints its seed. TEST_SEED=random uses new sequences.

const database = useTestDatabase();
const act = { actor: 'u1', kinds: trashKindNames };
const steps = ['delete', 'undo', 'restore', 'purge', 'import', 'take-slug'] as const;
type Step = (typeof steps)[number];

const seeds = process.env['TEST_SEED'] === 'random' ? [Date.now() | 0] : [1, 2, 3, 4, 5, 6];
const walk = fc.array(fc.constantFrom(...steps), { minLength: 8, maxLength: 20, size: 'max' });

type State = 'live' | 'in trash' | 'gone';

test.each(seeds)(
  'matches the model in random deletions and restores with seed %i',
  async (seed) => {
    const [sequence = []] = fc.sample(walk, { seed, numRuns: 1 });
    await playDeal(sequence);
    await playPost(sequence);
    await playSynonyms(sequence);
  },
);

/** Applies the steps to a deal with a price log. A deal imported again cannot be restored. */
async function playDeal(sequence: readonly Step[]): Promise<void> {
  const { db, pool } = database;
  const first = await insertDeal(db, { external_id: 'x1', slug: 'walk', sale_price: 900 });
  const { id, merchant_id, category_id } = first;
  await pool.query('update deals set sale_price = 800 where id = $1', [id]);
  const log = () =>
    ask(db).column<number>`select id from price_log where deal_id = ${id} order by id`;
  const before = await log();
  let [state, isImported]: [State, boolean] = ['live', false];
  const entry = () =>
    ask(db).row<{ id: number; batch: string }>`
      select id, batch from trash_entries where entity = 'deal' and row_id = ${id}`;
  for (const step of sequence) {
    const kept = await entry();
    if (step === 'delete') {
      await changeDeals(db, { actor: 'u1', verb: 'delete', categoryId: null }, { ids: [id] });
      if (state === 'live') state = 'in trash';
    } else if (step === 'undo' || step === 'restore') {
      if (kept && step === 'undo') await undoDeletion(db, { actor: 'u1', batch: kept.batch });
      else await restoreFromTrash(db, kept ? [kept.id] : [], act);
      if (state === 'in trash' && !isImported) state = 'live';
    } else if (step === 'purge') {
      await purgeTrash(db, kept ? [kept.id] : [], act);
      if (state === 'in trash') state = 'gone';
    } else if (step === 'import' && state !== 'live' && !isImported) {
      await insertDeal(db, { merchant_id, category_id, external_id: 'x1' });
      isImported = true;
    } else if (step === 'take-slug' && state !== 'live') {
      const taken = await ask(db).value`select id from deals where slug = 'walk'`;
      if (taken === null) await insertDeal(db, { slug: 'walk' });
    }
    const isLive = (await ask(db).value`select id from deals where id = ${id}`) !== null;
    expect([step, isLive, (await entry()) !== null]).toEqual([
      step,
      state === 'live',
      state === 'in trash',
    ]);
    expect(await log()).toEqual(state === 'live' ? before : []);
  }
  await pool.query('delete from deals');
}

/** Applies the steps to a post. An undo rejects a taken slug; the trash restores with a new one. */
async function playPost(sequence: readonly Step[]): Promise<void> {
  const { db } = database;
  const { id } = await insertBlogPost(db, { slug: 'post', content: '<p>Text</p>' });
  const undone: { expected: boolean; was: boolean }[] = [];
  let [state, isTaken, isMoved]: [State, boolean, boolean] = ['live', false, false];
  const entry = () =>
    ask(db).value<number>`select id from trash_entries where entity = 'post' and row_id = ${id}`;
  for (const step of sequence) {
    const kept = await entry();
    if (step === 'delete') {
      await deletePost(db, id, 'u1');
      if (state === 'live') state = 'in trash';
    } else if (step === 'undo') {
      const mayReturn = state === 'in trash' && (!isTaken || isMoved);
      undone.push({ expected: mayReturn, was: (await restorePost(db, id, 'u1')).ok });
      if (mayReturn) state = 'live';
    } else if (step === 'restore') {
      await restoreFromTrash(db, kept === null ? [] : [kept], act);
      if (state === 'in trash') [state, isMoved] = ['live', isTaken];
    } else if (step === 'purge') {
      await purgeTrash(db, kept === null ? [] : [kept], act);
      if (state === 'in trash') state = 'gone';
    } else if (step === 'take-slug' && state !== 'live' && !isTaken) {
      await insertBlogPost(db, { slug: 'post' });
      isTaken = true;
    }
    const content = await ask(db).value`select content from blog_posts where id = ${id}`;
    expect([step, content, (await entry()) !== null]).toEqual([
      step,
      state === 'live' ? '<p>Text</p>' : null,
      state === 'in trash',
    ]);
  }
  expect(undone.filter(({ expected, was }) => expected !== was)).toEqual([]);
  await db.deleteFrom('blog_posts').execute();
}

/**
 * Applies the steps to synonyms, which have no undo. A line that was added again in the meantime
 * stays in the trash.
 */
async function playSynonyms(sequence: readonly Step[]): Promise<void> {
  const { db } = database;
  const words = 'couch, sofa';
  await addSynonyms(db, 'u1', words);
  const [first] = await listSynonyms(db);
  const id = first?.id ?? 0;
  let [state, isTaken]: [State, boolean] = ['live', false];
  const entry = () =>
    ask(db).value<number>`
      select id from trash_entries where entity = 'synonym' and row_id = ${id}`;
  for (const step of sequence) {
    const kept = await entry();
    if (step === 'delete') {
      await deleteSynonyms(db, 'u1', id);
      if (state === 'live') state = 'in trash';
    } else if (step === 'restore') {
      await restoreFromTrash(db, kept === null ? [] : [kept], act);
      if (state === 'in trash' && !isTaken) state = 'live';
    } else if (step === 'purge') {
      await purgeTrash(db, kept === null ? [] : [kept], act);
      if (state === 'in trash') state = 'gone';
    } else if (step === 'take-slug' && state !== 'live') {
      await addSynonyms(db, 'u1', words);
      isTaken = true;
    }
    const stored = (await listSynonyms(db)).map((line) => line.id === id);
    expect([step, stored, (await entry()) !== null]).toEqual([
      step,
      state === 'live' ? [true] : isTaken ? [false] : [],
      state === 'in trash',
    ]);
  }
  await db.deleteFrom('search_synonyms').execute();
}
