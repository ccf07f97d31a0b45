import { expect, test } from 'vitest';
import { ask } from '#database/ask.ts';
import * as fc from '#test/fast-check.ts';
import { useTestDatabase } from '#test/database.ts';
import { editableRedirects } from './editable-redirects.server.ts';
import { importRedirects, undoRedirectImport } from './redirect-imports.server.ts';

// Imports, undoes, edits, deletes and restores redirects in any order, and compares the stored
// ones with a naive model.

const database = useTestDatabase();
const paths = ['/a', '/b', '/c'] as const;
const path = fc.constantFrom(...paths);
const acts = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('import' as const),
      rows: fc.uniqueArray(fc.record({ path, target: fc.constantFrom('/x', '/y', '/z') }), {
        selector: (row) => row.path,
        minLength: 1,
      }),
    }),
    fc.record({ kind: fc.constant('undo' as const), import: fc.nat({ max: 6 }) }),
    fc.record({ kind: fc.constantFrom('edit', 'delete', 'restore', 'add'), path }),
  ),
  { minLength: 6, maxLength: 30, size: 'max' },
);

/** A value of a redirect, on top of those that it replaced. Only imports have a number. */
interface Layer {
  by: number | null;
  target: string;
}

/** The redirects as their layers, oldest first. */
class Account {
  readonly live = new Map<string, Layer[]>();
  readonly deleted = new Map<string, Layer[]>();
  readonly undone = new Set<number>();

  import(by: number, rows: readonly { path: string; target: string }[]): boolean {
    const changed = rows.filter((row) => this.live.get(row.path)?.at(-1)?.target !== row.target);
    for (const row of changed)
      this.live.set(row.path, [...(this.live.get(row.path) ?? []), { by, target: row.target }]);
    return changed.length > 0;
  }

  /** Removes the layer of the import. A deleted redirect keeps its last value. */
  undo(by: number): boolean {
    if (this.undone.has(by)) return false;
    this.undone.add(by);
    for (const layers of [this.live, this.deleted])
      for (const [name, stack] of layers) {
        const rest = stack.filter((layer) => layer.by !== by);
        const last = stack.at(-1);
        if (layers === this.deleted && last?.by === by)
          layers.set(name, [{ by: null, target: last.target }]);
        else if (rest.length > 0) layers.set(name, rest);
        else layers.delete(name);
      }
    return true;
  }

  edit(name: string, target: string): void {
    this.live.set(name, [{ by: null, target }]);
  }

  move(name: string, from: 'live' | 'deleted', to: 'live' | 'deleted'): void {
    const stack = this[from].get(name);
    if (!stack) return;
    this[from].delete(name);
    this[to].set(name, stack);
  }

  targets(): Record<string, string | undefined> {
    return Object.fromEntries([...this.live].map(([name, stack]) => [name, stack.at(-1)?.target]));
  }
}

test('stores the same redirects as a naive model of imports, undos and edits', async () => {
  await fc.assert(
    fc.asyncProperty(acts, async (sequence) => {
      await database.reset();
      await play(sequence);
    }),
    { numRuns: 40 },
  );
}, 120_000);

test('keeps a redirect whose old URL was edited, even if a later import changed it', async () => {
  const { db } = database;
  const load = async (from_path: string, target: string) => {
    const upload = { fileName: 'a.csv', actor: 'u1' };
    return (await importRedirects(db, upload, [{ from_path, target, status: 301 }]))?.id ?? 0;
  };
  const first = await load('/typo', '/x');
  const { id, version } = await db
    .selectFrom('address_redirects')
    .select(['id', 'version'])
    .executeTakeFirstOrThrow();
  const input = { from_path: '/right', target: '/x', status: 301 };
  await editableRedirects.update(db, id, input, { actor: 'u1', expectedVersion: version });
  const second = await load('/right', '/y');
  expect(await undoRedirectImport(db, first, 'u1')).toMatchObject({ removed: 0, kept: 1 });
  expect(await undoRedirectImport(db, second, 'u1')).toMatchObject({ removed: 0, restored: 1 });
  const columns = ['from_path', 'target', 'status'] as const;
  expect(await db.selectFrom('address_redirects').select(columns).execute()).toEqual([input]);
});

test('waits with an import until an edit releases its redirect', async () => {
  const { db, pool } = database;
  const importTo = (target: string) =>
    importRedirects(db, { fileName: 'a.csv', actor: 'u1' }, [
      { from_path: '/a', target, status: 301 },
    ]);
  await importTo('/x');
  const editor = await pool.connect();
  try {
    await editor.query('begin');
    await editor.query('select from address_redirects for update');
    const importing = importTo('/y');
    const waiting = () =>
      ask(db).value<number>`
        select count(*) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(waiting, { timeout: 30_000 }).toBe(1);
    await editor.query(`update address_redirects set target = '/edited', version = version + 1`);
    await editor.query('commit');
    expect(await importing).toMatchObject({ added: 0, changed: 1 });
  } finally {
    editor.release();
  }
});

type Act = typeof acts extends fc.Arbitrary<(infer One)[]> ? One : never;

async function play(sequence: readonly Act[]): Promise<void> {
  const { db } = database;
  const account = new Account();
  const imports: number[] = [];
  /** Whether an action had an effect in the model and in the database. */
  const outcomes: [boolean, boolean][] = [];
  const lastId = new Map<string, number>();
  const find = (name: string) =>
    ask(db).row<{ id: number; version: number }>`
      select id, version from address_redirects where from_path = ${name}`;
  for (const [step, act] of sequence.entries()) {
    if (act.kind === 'import') {
      const rows = act.rows.map(({ path: from_path, target }) => ({
        from_path,
        target,
        status: 301,
      }));
      const done = await importRedirects(db, { fileName: 'a.csv', actor: 'u1' }, rows);
      const id = done?.id ?? 0;
      outcomes.push([account.import(id, act.rows), done !== null]);
      if (done) imports.push(id);
    } else if (act.kind === 'undo') {
      const id = imports[act.import];
      if (id === undefined) continue;
      outcomes.push([account.undo(id), (await undoRedirectImport(db, id, 'u1')).ok]);
    } else {
      await changeByHand(act, `/edited-${step}`);
    }
    const stored = await ask(db).rows<{ from_path: string; target: string }>`
      select from_path, target from address_redirects`;
    expect(Object.fromEntries(stored.map((row) => [row.from_path, row.target]))).toEqual(
      account.targets(),
    );
  }
  expect(outcomes.filter(([expected, was]) => expected !== was)).toEqual([]);

  async function changeByHand({ kind, path: name }: Act & { path: string }, target: string) {
    const row = await find(name);
    const input = { from_path: name, target, status: 301 };
    if (kind === 'add' && !row) {
      await editableRedirects.create(db, input, 'u1');
      account.edit(name, target);
    } else if (kind === 'edit' && row) {
      const expectedVersion = row.version;
      await editableRedirects.update(db, row.id, input, { actor: 'u1', expectedVersion });
      account.edit(name, target);
    } else if (kind === 'delete' && row) {
      await editableRedirects.remove(db, row.id, 'u1');
      lastId.set(name, row.id);
      account.move(name, 'live', 'deleted');
    } else if (kind === 'restore' && !row) {
      await editableRedirects.restore(db, lastId.get(name) ?? 0, 'u1');
      account.move(name, 'deleted', 'live');
    }
  }
}
