import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import type { AppServices } from '#app/platform/app-context.server.ts';

export interface SystemInfo {
  environment: string;
  version: string;
  /** When the running code was built; null where it is not built. */
  builtAt: Date | null;
  node: string;
  database: string;
  /** Whether merchants are asked about their links. */
  checksLinks: boolean;
}

/** System Info, measured (P38). */
export async function readSystemInfo({
  db,
  env,
}: Pick<AppServices, 'db' | 'env'>): Promise<SystemInfo> {
  const here = fileURLToPath(import.meta.url);
  const { rows } = await sql<{ version: string }>`
    select current_setting('server_version') as version`.execute(db);
  return {
    environment: env.nodeEnv,
    version: await readVersion(path.dirname(here)),
    builtAt: here.endsWith('.ts') ? null : (await stat(here)).mtime,
    node: process.versions.node,
    checksLinks: env.linkChecks,
    database: `PostgreSQL ${rows[0]?.version ?? ''}`.trim(),
  };
}

/** Of the nearest package.json above: the source and the built code lie at different depths. */
async function readVersion(folder: string): Promise<string> {
  const text = await readFile(path.join(folder, 'package.json'), 'utf8').catch(() => null);
  const { version }: { version?: string } = JSON.parse(text ?? '{}');
  if (version) return version;
  const above = path.dirname(folder);
  return above === folder ? 'unknown' : readVersion(above);
}
