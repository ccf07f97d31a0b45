import path from 'node:path';
import { freeBytes } from '#database/free-bytes.ts';
import { CompiledQuery } from 'kysely';
import type { QueryResultRow } from 'pg';
import type { AppServices } from '#app/platform/app-context.server.ts';
import type { Env } from '#app/platform/env.server.ts';
import { type PictureStore, pictureStores } from '#app/platform/picture-stores.ts';
import { openDatabaseMedia } from '#database/database-media.ts';
import { openBucket } from '#database/s3-bucket.ts';
import { openS3Media } from '#database/s3-media.ts';
import { joinMedia, type MediaStore, openFolderMedia } from '#database/media-store.ts';

type Services = Pick<AppServices, 'db' | 'env'>;

/**
 * Opens stored pictures, written to `PICTURE_STORE` and also read from the database and the folder.
 * A bucket that is not chosen is not requested, since every broken URL would wait for its response.
 */
export function openMedia(services: Services): MediaStore {
  const { pictureStore } = services.env;
  const { database, folder, s3 } = openStores(services);
  if (pictureStore === 'database') return joinMedia([database, folder]);
  if (pictureStore === 'folder' || !s3) return joinMedia([folder, database]);
  return joinMedia([s3, database, folder]);
}

/** Opens the store with this name, and the other stores that may contain pictures. */
export function openMediaPlaces(services: Services, name: PictureStore) {
  const { s3, ...always } = openStores(services);
  const stores: Partial<Record<PictureStore, MediaStore>> = { ...always, ...(s3 && { s3 }) };
  const chosen = stores[name];
  if (!chosen) throw new Error('There is no bucket. Set S3_ENDPOINT and the other S3 settings.');
  const rest = pictureStores.filter((other) => other !== name);
  return { chosen, others: rest.flatMap((other) => stores[other] ?? []) };
}

function openStores({ db, env }: Services) {
  const ask = async <Row extends QueryResultRow>(statement: string, values: readonly unknown[]) =>
    (await db.executeQuery<Row>(CompiledQuery.raw(statement, [...values]))).rows;
  return {
    database: openDatabaseMedia(ask, () => countFreeBytes(env)),
    folder: openFolderMedia(path.join(env.dataDir, 'media')),
    s3: env.s3 && openS3Media(openBucket(env.s3)),
  };
}

/**
 * Returns the free bytes. A remote database does not report its free space, so `PICTURES_MB` is the
 * limit there.
 */
async function countFreeBytes({ databaseUrl, dataDir }: Env): Promise<number> {
  if (databaseUrl !== null) return Infinity;
  return freeBytes(dataDir);
}
