import path from 'node:path';
import { statfs } from 'node:fs/promises';
import { CompiledQuery } from 'kysely';
import type { QueryResultRow } from 'pg';
import type { AppServices } from '#app/platform/app-context.server.ts';
import type { Env } from '#app/platform/env.server.ts';
import { openDatabaseMedia } from '#database/database-media.ts';
import { joinMedia, type MediaStore, openFolderMedia } from '#database/media-store.ts';

type Services = Pick<AppServices, 'db' | 'env'>;

/** Stored pictures, written where `PICTURE_STORE` says and found wherever they still lie (decision 071). */
export function openMedia(services: Services): MediaStore {
  const { chosen, others } = openMediaPlaces(services, services.env.pictureStore);
  return joinMedia([chosen, ...others]);
}

/** The store of this name, and the others that may hold pictures. */
export function openMediaPlaces({ db, env }: Services, name: Env['pictureStore']) {
  const ask = async <Row extends QueryResultRow>(statement: string, values: readonly unknown[]) =>
    (await db.executeQuery<Row>(CompiledQuery.raw(statement, [...values]))).rows;
  const folder = openFolderMedia(path.join(env.dataDir, 'media'));
  const database = openDatabaseMedia(ask, () => countFreeBytes(env));
  return name === 'folder'
    ? { chosen: folder, others: [database] }
    : { chosen: database, others: [folder] };
}

/** A database elsewhere does not say: there `PICTURES_MB` is the bound. */
async function countFreeBytes({ databaseUrl, dataDir }: Env): Promise<number> {
  if (databaseUrl !== null) return Infinity;
  const { bavail, bsize } = await statfs(dataDir);
  return bavail * bsize;
}
