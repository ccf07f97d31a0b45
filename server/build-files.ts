import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { AppServices } from '#app/platform/app-context.server.ts';
import type { Db } from '#database/connect.ts';
import { errorMessage } from '#database/error-code.ts';
import type { HeaderSet } from '#server/security-headers.ts';
import { makeStaticFile } from '#server/static-file.ts';
import type { StoredAnswer } from '#server/stored-answer.ts';

export const assetsPath = '/assets/';
const fileName = /^[\w.-]{1,150}$/;
const touchedEveryMs = 12 * 3_600_000;
const atOnce = 40;
/** files, enough for two or three builds */
const mostKnown = 1_000;

/**
 * Stores this build's scripts and stylesheets in the database for all processes, and renews their
 * time of use twice a day. Runs before the first page that references them is sent, so that
 * processes with another build can serve them. `folder` contains the built client.
 */
export async function keepBuildFiles(
  { db, log }: Pick<AppServices, 'db' | 'log'>,
  folder: string,
): Promise<void> {
  const assets = path.join(folder, assetsPath);
  const names = (await readdir(assets)).filter((name) => fileName.test(name));
  await keepFiles(db, assets, names);
  setInterval(() => {
    keepFiles(db, assets, names).catch((error: unknown) =>
      log.warn(
        { reason: errorMessage(error) },
        'the files of this build could not be marked as in use',
      ),
    );
  }, touchedEveryMs).unref();
}

async function keepFiles(db: Db, folder: string, names: readonly string[]): Promise<void> {
  const known = await db
    .updateTable('build_files')
    .set({ seen_at: new Date() })
    .where('name', 'in', names)
    .returning('name')
    .execute();
  const stored = new Set(known.map(({ name }) => name));
  const missing = names.filter((name) => !stored.has(name));
  for (let at = 0; at < missing.length; at += atOnce) {
    const rows = missing.slice(at, at + atOnce).map(async (name) => {
      return { name, content: await readFile(path.join(folder, name)) };
    });
    await db
      .insertInto('build_files')
      .values(await Promise.all(rows))
      .onConflict((row) => row.column('name').doNothing())
      .execute();
  }
}

/**
 * Scripts and stylesheets of other builds, which pages from other processes, or from before an
 * update, still load.
 */
export class OtherBuilds {
  readonly #db: Db;
  readonly #base: HeaderSet;
  readonly #known = new Map<string, StoredAnswer>();

  constructor({ db }: Pick<AppServices, 'db'>, base: HeaderSet) {
    this.#db = db;
    this.#base = base;
  }

  async find(address: string): Promise<StoredAnswer | null> {
    const known = this.#known.get(address);
    if (known) return known;
    const name = address.slice(assetsPath.length);
    if (!address.startsWith(assetsPath) || !fileName.test(name)) return null;
    const row = await this.#db
      .selectFrom('build_files')
      .select('content')
      .where('name', '=', name)
      .executeTakeFirst();
    const file = row ? await makeStaticFile(address, row.content, this.#base) : null;
    if (!file) return null;
    if (this.#known.size >= mostKnown) this.#known.clear();
    this.#known.set(address, file);
    return file;
  }
}
