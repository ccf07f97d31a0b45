import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { insertDeal, insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testServices } from '#test/services.ts';
import { checkBackup } from '#database/backups/backup.ts';
import { openMedia } from '#app/platform/open-media.server.ts';
import { openFolderMedia } from '#database/media-store.ts';
import { openBucket } from '#database/s3-bucket.ts';
import { startS3Server } from '#test/s3-server.ts';
import { entryOf } from '#server/site-app.ts';
import { loadBuild } from '#test/site.ts';
import { backUp, tryBackup } from './back-up-job.server.ts';

const database = useTestDatabase();
let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'deal-hub-nightly-'));
  await insertUser(database.db, { email: 'maria@shop.example' });
  await insertDeal(database.db, { title: 'A drill' });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const services = (env: Record<string, string> = {}, at = '2026-11-24T02:45:00Z') => ({
  ...testServices(database, { DATA_DIR: folder, ...env }),
  now: () => new Date(at),
});
const backups = () => readdir(path.join(folder, 'backups'));
const fileOf = async () => path.join(folder, 'backups', (await backups())[0] ?? '');
const audited = async () =>
  (
    await database.db.selectFrom('audit_log').select(['actor', 'action']).orderBy('id').execute()
  ).map(({ actor, action }) => `${actor} ${action}`);

async function hasDrill(): Promise<boolean> {
  const { rows } =
    await sql`select from pg_database where datname = current_database() || '_restore_drill'`.execute(
      database.db,
    );
  return rows.length > 0;
}

it('writes a backup of everything into a file that only the site can read, and logs it', async () => {
  await backUp(services());
  expect(await backups()).toEqual(['nightly-2026-11-24T02-45.backup']);
  const content = await checkBackup(await fileOf());
  expect(content.weights.find(({ name }) => name === 'table deals')?.rows).toBe(1);
  expect((await stat(await fileOf())).mode & 0o077).toBe(0);
  expect(await audited()).toEqual(['system site.backup']);
});

it('deletes old backups only after the new one is written', async () => {
  await mkdir(path.join(folder, 'backups'));
  for (let day = 1; day <= 20; day++) {
    const name = `nightly-2026-10-${String(day).padStart(2, '0')}T02-45.backup`;
    await writeFile(path.join(folder, 'backups', name), 'x');
  }
  await backUp(services());
  expect(await backups()).toHaveLength(8);
  expect(await backups()).toContain('nightly-2026-11-24T02-45.backup');
});

it('includes the pictures of every picture store, and reports missing ones', async () => {
  const media = openMedia(services());
  await media.write('shop/a-1.webp', Buffer.from('a'));
  await openFolderMedia(path.join(folder, 'media')).write('b-2.webp', Buffer.from('b'));
  await insertDeal(database.db, { image_url: '/media/shop/a-1.webp' });
  await backUp(services());
  const { weights } = await checkBackup(await fileOf());
  const names = weights.map(({ name }) => name).filter((name) => /^media|stored/.test(name));
  expect(names).toEqual(['media b-2.webp', 'media shop/a-1.webp']);
  await tryBackup(services());

  await media.remove('shop/a-1.webp');
  await expect(backUp(services({}, '2026-11-25T02:45:00Z'))).rejects.toThrow(
    '1 picture that pages show is not in it, since this server does not reach it: shop/a-1.webp',
  );
  expect(await backups()).toHaveLength(2);
});

it('stores backups only in the bucket by the same rules, and tests them from there', async () => {
  const s3 = await startS3Server();
  try {
    const bucket = openBucket(s3.place);
    const given = (at: string) => services({ BACKUPS: 's3', ...s3.env }, at);
    const kept = async () => (await bucket.list('backups/')).map(({ key }) => key.slice(8));
    for (let day = 1; day <= 20; day++) {
      const name = `nightly-2026-10-${String(day).padStart(2, '0')}T02-45.backup`;
      await bucket.put(`backups/${name}`, Buffer.from('x'));
    }
    await backUp(given('2026-11-24T02:45:00Z'));
    expect(await kept()).toHaveLength(8);
    expect((await kept()).at(-1)).toBe('nightly-2026-11-24T02-45.backup');
    expect(await backups()).toEqual([]);
    await tryBackup(given('2026-11-24T04:15:00Z'));
    expect(await audited()).toEqual(['system site.backup', 'system site.try-backup']);
    expect(await backups()).toEqual([]);

    const wrong = { ...s3.env, S3_SECRET_ACCESS_KEY: 'wrong' };
    await expect(backUp(services({ BACKUPS: 's3', ...wrong }))).rejects.toThrow('S3 answered 403');
    expect(await kept()).toHaveLength(8);
  } finally {
    await s3.close();
  }
});

it('requires the passphrase for reading a sealed backup', async () => {
  const key = 'four words on paper';
  await backUp(services({ BACKUP_KEY: key }));
  const bytes = await readFile(await fileOf());
  expect(bytes.includes('maria')).toBe(false);
  await expect(checkBackup(await fileOf())).rejects.toThrow('Set BACKUP_KEY');
  await expect(checkBackup(await fileOf(), 'four other words here')).rejects.toThrow(
    'another BACKUP_KEY',
  );
  expect((await checkBackup(await fileOf(), key)).weights.length).toBeGreaterThan(10);
  for (const at of [60, Math.floor(bytes.length / 2), bytes.length - 3]) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    await writeFile(await fileOf(), changed);
    await expect(checkBackup(await fileOf(), key), `byte ${at}`).rejects.toThrow(
      /damaged|cut short/,
    );
  }
  await writeFile(await fileOf(), bytes.subarray(0, 50));
  await expect(checkBackup(await fileOf(), key)).rejects.toThrow(/damaged|cut short/);
});

describe('a file that someone else put into the folder', () => {
  const key = { BACKUP_KEY: 'four words on paper' };
  const kept = (name: string) => path.join(folder, 'backups', name);

  it('does not read an unsealed backup if BACKUP_KEY is set', async () => {
    await backUp(services());
    await expect(tryBackup(services(key))).rejects.toThrow(
      'The backup is not sealed, but BACKUP_KEY is set.',
    );
    expect(await hasDrill()).toBe(false);
  });

  it('ignores a backup whose name is from the future', async () => {
    await backUp(services(key));
    await writeFile(kept('nightly-2099-01-01T00-00.backup'), 'forged');
    await tryBackup(services(key));
    expect(await audited()).toContain('system site.try-backup');
  });

  it('detects an older backup stored under a newer name', async () => {
    await backUp(services(key));
    await rename(await fileOf(), kept('nightly-2026-11-25T02-45.backup'));
    await expect(tryBackup(services(key, '2026-11-25T04:00:00Z'))).rejects.toThrow(
      'nightly-2026-11-25T02-45.backup holds another backup: nightly-2026-11-24T02-45.backup.',
    );
  });

  it('detects a backup of another site', async () => {
    await backUp(services({ ...key, ORIGIN: 'https://other.example' }));
    await expect(tryBackup(services(key))).rejects.toThrow(
      'holds a backup of another site: https://other.example.',
    );
  });
});

it('restores a backup into a temporary database to test it, and leaves nothing behind', async () => {
  const given = services({ BACKUP_KEY: 'four words on paper' });
  await backUp(given);
  await tryBackup(given);
  expect(await audited()).toEqual(['system site.backup', 'system site.try-backup']);
  expect(await hasDrill()).toBe(false);
  expect(await backups()).toEqual(['nightly-2026-11-24T02-45.backup']);
});

it('writes and tests a backup with the jobs of the built site', async () => {
  const { jobs } = entryOf(await loadBuild());
  for (const name of ['back-up', 'try-backup']) {
    await jobs.find((job) => job.name === name)?.run(services(), new AbortController().signal);
  }
  expect(await audited()).toEqual(['system site.backup', 'system site.try-backup']);
  expect(await hasDrill()).toBe(false);
});

it('fails on a damaged backup, and leaves nothing behind', async () => {
  await backUp(services());
  const bytes = await readFile(await fileOf());
  await writeFile(await fileOf(), bytes.subarray(0, bytes.length - 100));
  await expect(tryBackup(services())).rejects.toThrow(/damaged|cut short/);
  expect(await audited()).toEqual(['system site.backup']);
  expect(await hasDrill()).toBe(false);
});

it('skips backups if the owner makes them, and skips the restore test before the first backup', async () => {
  await backUp(services({ BACKUPS: 'off' }));
  await tryBackup(services());
  expect(await readdir(folder)).toEqual([]);
  expect(await audited()).toEqual([]);
});
