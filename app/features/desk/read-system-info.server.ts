import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { countPictures } from '#app/features/pictures/picture-queue.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';

const here = fileURLToPath(import.meta.url);

/** Returns System Info, measured now. `builtAt` is `null` if the code runs without a build. */
export async function readSystemInfo({ db, env }: Pick<AppServices, 'db' | 'env'>) {
  return {
    environment: env.nodeEnv,
    version: await readVersion(),
    builtAt: here.endsWith('.ts') ? null : (await stat(here)).mtime,
    node: process.versions.node,
    /** Whether link checks are on. */
    checksLinks: env.linkChecks,
    /** Statistics on the copies of stores' pictures. `null` if `PICTURES_MB` turns them off. */
    pictures:
      env.picturesMb === 0 ? null : { ...(await countPictures(db)), mostMb: env.picturesMb },
    database: `PostgreSQL ${await readServerVersion(db)}`,
  };
}

export type SystemInfo = Awaited<ReturnType<typeof readSystemInfo>>;

export function readServerVersion(db: Db) {
  return ask(db).value<string>`select current_setting('server_version')`;
}

/**
 * Searches parent folders for package.json, since source and built code are at different depths.
 */
export async function readVersion(folder = path.dirname(here)): Promise<string> {
  const text = await readFile(path.join(folder, 'package.json'), 'utf8').catch(() => null);
  const { version }: { version?: string } = JSON.parse(text ?? '{}');
  if (version) return version;
  const above = path.dirname(folder);
  return above === folder ? 'unknown' : readVersion(above);
}
