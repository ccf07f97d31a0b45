import type { Db } from '#database/connect.ts';
import type { FeedEncoding } from '../formats/feed-encodings.ts';
import type { FeedSource } from '../sources/open-feed.server.ts';
import type { ImportStep, ImportSteps } from './import-steps.ts';

interface OtherOptions {
  sourceId: number;
  /** The merchant of rows that name none. */
  merchant: string;
  endsMissing: boolean;
  encoding: FeedEncoding | undefined;
  dryRun: boolean;
  actor: string;
  now: Date;
  signal: AbortSignal | undefined;
}

/** Imports a file that contains no products, such as a list of coupons. */
export type OtherContent = (
  db: Db,
  file: string,
  options: OtherOptions,
) => Promise<Required<Pick<ImportStep, 'counts' | 'issues'>>>;

/** The steps of a run whose source contains no products. */
export async function* importOther(
  db: Db,
  source: FeedSource,
  content: OtherContent,
  options: OtherOptions,
): ImportSteps {
  if ('url' in source) throw new Error('only files are imported like this');
  let file: string | null;
  if ('fetch' in source) {
    yield { phase: 'fetching' };
    file = await source.fetch(options.signal);
  } else file = source.file;
  if (file === null) return yield { state: 'unchanged' };
  yield { phase: 'reading', mayStop: true };
  yield await content(db, file, options);
}
