import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterEach, expect, it } from 'vitest';
import { insertDeal } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { freePort } from '#test/free-port.ts';
import { runDeals } from '#test/run-deals.ts';
import { type HttpSite, startHttpSite } from '#test/http-site.ts';
import type { SiteApp } from './site-app.ts';

const database = useTestDatabase();
let site: HttpSite | undefined;
afterEach(async () => {
  await site?.close();
  await setDisk('empty');
});

/** Makes writes fail with PostgreSQL's error for a full disk. */
async function setDisk(state: 'full' | 'empty'): Promise<void> {
  const { db } = database;
  await sql`drop trigger if exists disk_is_full on deals`.execute(db);
  if (state === 'empty') return;
  await sql`create or replace function disk_is_full() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`.execute(
    db,
  );
  await sql`create trigger disk_is_full before insert on deals execute function disk_is_full()`.execute(
    db,
  );
}

/**
 * An app that reads on GET and writes on POST, as pages do. Errors in loaders and actions become a
 * 500.
 */
const app: SiteApp = async (request) => {
  try {
    if (request.method === 'POST') await insertDeal(database.db, {});
    const deals = await database.db.selectFrom('deals').select('id').execute();
    return { response: new Response(`${deals.length} deals`), policy: null, error: null };
  } catch (error) {
    return { response: new Response('failed', { status: 500 }), policy: null, error };
  }
};

const write = {
  method: 'POST',
  headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' },
  body: 'a=1',
};

// Proves R36: the disk is full (is-database-unavailable.ts)
it('R36: rejects writes while the disk is full, continues to read, and recovers by itself', async () => {
  site = await startHttpSite(app, { db: database.db });
  await setDisk('full');
  const refused = await site.send('/deals', write);
  expect(refused.status).toBe(503);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await site.send('/deals?a=1')).text).toBe('0 deals');
  await setDisk('empty');
  expect((await site.send('/deals', write)).text).toBe('1 deals');
});

// Only root can mount a small disk.
it.runIf(process.getuid?.() === 0)('reports a full disk on the first start', async () => {
  const disk = await mkdtemp(path.join(tmpdir(), 'deal-hub-small-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=42m,mode=0755', 'tmpfs', disk]);
  try {
    const folder = path.join(disk, 'data');
    await mkdir(folder);
    const env = { DATA_DIR: folder, SEED: 'none', PORT: String(await freePort()) };
    const { code, err } = await runDeals(['start'], env);
    expect(code).toBe(1);
    expect(err).toContain(`The disk of ${folder} is full`);
  } finally {
    // Unmounting fails while the database still runs there.
    execFileSync('umount', [disk]);
    await rm(disk, { recursive: true });
  }
});
