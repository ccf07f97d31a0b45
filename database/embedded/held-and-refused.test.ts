import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { aCategory } from '#test/factories/a-category.ts';
import { claimDataFolder, recordHolder, refuseForeignUse } from './claim-data-folder.ts';
import { errorCode } from '#database/error-code.ts';
import { holdLock } from '#database/embedded/hold-lock.ts';
import { isDatabaseUnavailable } from '#database/is-database-unavailable.ts';
import { refuseKnown } from '#database/refuse-known.ts';

const database = useTestDatabase();
let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'held-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('a lock between processes', () => {
  test('grants a lock to one process at a time, and then to the next', async () => {
    const file = path.join(folder, 'lock');
    const order: string[] = [];
    let letGo = () => {};
    const first = holdLock(file, async () => {
      order.push('first in');
      await new Promise<void>((resolve) => {
        letGo = resolve;
      });
      order.push('first out');
    });
    const second = holdLock(file, async () => {
      order.push('second in');
      return 'done';
    });
    await expect.poll(() => order).toEqual(['first in']);
    letGo();
    await first;
    expect(await second).toBe('done');
    expect(order).toEqual(['first in', 'first out', 'second in']);
  });

  test('releases a lock when the work fails, and rethrows the error', async () => {
    const file = path.join(folder, 'lock');
    await expect(
      holdLock(file, async () => {
        throw new Error('no room');
      }),
    ).rejects.toThrow('no room');
    expect(await holdLock(file, async () => 'free')).toBe('free');
  });

  test('hides a lock from other users', async () => {
    const file = path.join(folder, 'lock');
    await holdLock(file, async () => {});
    expect((await stat(file)).mode & 0o077).toBe(0);
  });
});

describe('a data folder', () => {
  const someoneElse = () => writeFile(path.join(folder, 'postgres.holder'), 'another boot pid:[1]');

  test('accepts a data folder that was never used', () => {
    expect(() => refuseForeignUse(folder)).not.toThrow();
  });

  test('accepts a data folder that another server left behind once no process uses it', async () => {
    await someoneElse();
    expect(() => refuseForeignUse(folder)).not.toThrow();
  });

  test('refuses a data folder that another server uses, with instructions, until it is released', async () => {
    await someoneElse();
    const claim = claimDataFolder(folder);
    expect(() => refuseForeignUse(folder)).toThrow('give both the same DATABASE_URL');
    claim.release();
    expect(() => refuseForeignUse(folder)).not.toThrow();
  });

  test('lets several processes of this server use a data folder', () => {
    recordHolder(folder);
    const claims = [claimDataFolder(folder), claimDataFolder(folder)];
    expect(() => refuseForeignUse(folder)).not.toThrow();
    for (const claim of claims) claim.release();
  });
});

describe('a failure', () => {
  const withCode = (code: string, options?: ErrorOptions) =>
    Object.assign(new Error('failed', options), { code });

  test.each([
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ENOTFOUND',
    '57P01',
    '57P03',
    '53300',
    '53100',
    '08006',
  ])('R35: treats the code %s as an unreachable database', (code) => {
    expect(isDatabaseUnavailable(withCode(code))).toBe(true);
    expect(isDatabaseUnavailable(new Error('a query failed', { cause: withCode(code) }))).toBe(
      true,
    );
  });

  test.each([
    'timeout exceeded when trying to connect',
    'Connection terminated unexpectedly',
    'Client has encountered a connection error and is not queryable',
  ])('R35: treats the message "%s" as an unreachable database', (message) => {
    expect(isDatabaseUnavailable(new Error(message))).toBe(true);
  });

  test.each([
    ['a unique index', withCode('23505')],
    ['a mistake in SQL', withCode('42601')],
    ['a missing file', withCode('ENOENT')],
    ['a string', new Error('ECONNREFUSED')],
    ['undefined', { code: 'ECONNREFUSED' }],
    ['nothing', undefined],
  ])('treats an error from %s as a bug, not as an outage', (_what, error) => {
    expect(isDatabaseUnavailable(error)).toBe(false);
  });

  test('returns the code of a failure, if there is one', () => {
    expect(errorCode(withCode('ENOENT'))).toBe('ENOENT');
    expect(errorCode(Object.assign(new Error('x'), { code: 7 }))).toBe('');
    expect(errorCode('ENOENT')).toBe('');
  });
});

describe('a write with expected refusals', () => {
  const reasons = { categories_slug_key: 'slug-taken' } as const;
  const insert = (slug: string) => (db: typeof database.db) =>
    db
      .insertInto('categories')
      .values(aCategory({ slug }))
      .returning('slug')
      .executeTakeFirstOrThrow();
  const slugs = async () =>
    (await database.db.selectFrom('categories').select('slug').orderBy('slug').execute()).map(
      ({ slug }) => slug,
    );

  test('returns the result of a write, or the expected reason', async () => {
    expect(await refuseKnown(database.db, reasons, insert('desk'))).toEqual({ slug: 'desk' });
    expect(await refuseKnown(database.db, reasons, insert('desk'))).toEqual({
      ok: false,
      reason: 'slug-taken',
    });
  });

  test('throws unexpected errors of a write', async () => {
    await refuseKnown(database.db, reasons, insert('desk'));
    await expect(refuseKnown(database.db, {}, insert('desk'))).rejects.toThrow('duplicate key');
    const mistake = async () => {
      throw new Error('a mistake');
    };
    await expect(refuseKnown(database.db, reasons, mistake)).rejects.toThrow('a mistake');
  });

  test('rolls back a refused write as a whole', async () => {
    await refuseKnown(database.db, reasons, insert('desk'));
    await refuseKnown(database.db, reasons, async (tx) => {
      await insert('lamp')(tx);
      return insert('desk')(tx);
    });
    expect(await slugs()).toEqual(['desk']);
  });

  test('keeps the transaction around a refused write usable, with its earlier changes', async () => {
    await refuseKnown(database.db, reasons, insert('desk'));
    await database.db.transaction().execute(async (tx) => {
      await insert('before')(tx);
      const refused = await refuseKnown(tx, reasons, async (inner) => {
        await insert('within')(inner);
        return insert('desk')(inner);
      });
      expect(refused).toEqual({ ok: false, reason: 'slug-taken' });
      await insert('after')(tx);
    });
    expect(await slugs()).toEqual(['after', 'before', 'desk']);
  });
});
