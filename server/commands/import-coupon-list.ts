import { describeCouponImport } from '#app/features/coupons/describe-coupon-import.ts';
import { importCoupons } from '#app/features/coupons/import-coupons.server.ts';
import { readCouponList } from '#app/features/coupons/read-coupon-list.server.ts';
import { FeedError } from '#app/features/feeds/formats/feed-error.ts';
import { uploadSizeLimits as sizeLimits } from '#app/features/feeds/sources/feed-files.server.ts';
import { nameFeedSource, openParts } from '#app/features/feeds/sources/open-feed.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { SafeFetchError } from '#app/platform/safe-fetch.server.ts';
import { print, withDatabase } from '#server/commands/with-database.ts';

interface Options {
  merchant?: string;
  list?: string;
  addStores?: boolean;
  dryRun?: boolean;
  json?: boolean;
}

/** Imports a coupon list and prints what changed. Returns the exit code. */
export async function importCouponList(
  source: { file: string } | { url: string; allowPrivate?: boolean | undefined },
  { merchant: store, addStores = false, json, ...options }: Options,
): Promise<number> {
  return withDatabase(
    async ({ database: { db } }) => {
      try {
        const opened = await openParts(source, sizeLimits);
        const { timeZone } = await readSiteSettings(db);
        const [part, ...others] = opened.parts;
        if (!part || others.length > 0) {
          opened.close();
          throw new FeedError('an archive of coupons must contain exactly one file');
        }
        const read = await readCouponList(part.chunks(), { timeZone, sizeLimits }).finally(() =>
          opened.close(),
        );
        const report = await importCoupons(db, read, {
          list: options.list ?? nameFeedSource(source),
          store,
          addsStores: addStores,
          actor: 'cli',
          now: new Date(),
          dryRun: options.dryRun ?? false,
        });
        const problems = report.problems.map(({ line, message }) => `line ${line}: ${message}`);
        print(
          json
            ? JSON.stringify(report, null, 2)
            : [...describeCouponImport(report), ...problems].join('\n'),
        );
        return 0;
      } catch (error) {
        if (!(error instanceof FeedError || error instanceof SafeFetchError)) throw error;
        process.stderr.write(`error: ${error.message}\n`);
        return 1;
      }
    },
    { statementTimeout: 60_000 },
  );
}
