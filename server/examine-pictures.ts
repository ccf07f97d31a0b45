import type { AppServices } from '#app/platform/app-context.server.ts';
import { fine, type CheckResult, problem, warning } from '#app/platform/check-result.ts';
import { openMediaPlaces } from '#app/platform/open-media.server.ts';
import { askBy } from '#database/media-store.ts';
import { errorMessage } from '#database/error-code.ts';
import { openBucket } from '#database/s3-bucket.ts';
import { namedPictures } from '#database/named-pictures.ts';
import type { OpenDatabase } from '#server/open-database.ts';

const name = 'pictures';

/**
 * Checks that this server can read all pictures in use, and that they are in PICTURE_STORE.
 * Requires a migrated database.
 */
export async function examinePictures(
  { db, pool }: Pick<OpenDatabase, 'db' | 'pool'>,
  env: AppServices['env'],
): Promise<CheckResult> {
  const trouble = await examineBucket(env);
  if (trouble) return trouble;
  const { chosen, others } = openMediaPlaces({ db, env }, env.pictureStore);
  const there = await chosen.list();
  const elsewhere = (await Promise.all(others.map((store) => store.list()))).flat();
  const all = new Set([...there, ...elsewhere]);
  const missing = (await namedPictures(askBy(pool))).filter((picture) => !all.has(picture));
  if (missing.length > 0) {
    return problem(
      name,
      `${missing.length} shown pictures cannot be found from this server, such as ${missing[0]}`,
      'Run `deals move-pictures` on the server whose DATA_DIR contains them. docs/operations.md, “Pictures on every machine”.',
    );
  }
  const place = env.pictureStore === 's3' ? 'bucket' : env.pictureStore;
  const detail = `${there.length} in the ${place}`;
  return elsewhere.length === 0
    ? fine(name, detail)
    : warning(
        name,
        `${detail}, ${elsewhere.length} elsewhere, which other servers may not reach`,
        'deals move-pictures',
      );
}

/** Returns null if there is no bucket, or if the bucket accepts and deletes an object. */
async function examineBucket({ s3 }: Pick<AppServices['env'], 's3'>): Promise<CheckResult | null> {
  if (!s3) return null;
  const detail = `the bucket ${s3.bucket} at ${s3.endpoint}`;
  try {
    const bucket = openBucket(s3);
    await bucket.put('doctor', Buffer.from('ok'));
    await bucket.remove('doctor');
    return null;
  } catch (error) {
    return problem(name, `${detail}: ${errorMessage(error)}`, 'Correct the S3_… settings.');
  }
}
