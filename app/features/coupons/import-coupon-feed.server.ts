import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { FeedError } from '#app/features/feeds/formats/feed-error.ts';
import { readFeed } from '#app/features/feeds/formats/read-feed.server.ts';
import type { OtherContent } from '#app/features/feeds/runs/import-other.server.ts';
import { openParts } from '#app/features/feeds/sources/open-feed.server.ts';
import { describeCouponNotes } from './describe-coupon-import.ts';
import { importCoupons } from './import-coupons.server.ts';
import { type CouponList, isCodeColumn, readCouponList } from './read-coupon-list.server.ts';

const limits = { rawBytes: 20_000_000, unpackedBytes: 100_000_000 };

/** Imports a source's coupon feed. Its coupons form the list of that source. */
export const importCouponFeed: OtherContent = async (db, file, options) => {
  const { timeZone } = await readSiteSettings(db);
  const { encoding } = options;
  const opened = await openParts({ file }, limits, options.signal);
  const list: CouponList = { lines: [], withoutCode: 0 };
  try {
    for (const part of opened.parts) {
      const { sizeLimits } = part;
      const read = await readCouponList(part.chunks(), { timeZone, sizeLimits, encoding });
      list.lines.push(...read.lines);
      list.withoutCode += read.withoutCode;
    }
  } finally {
    opened.close();
  }
  const report = await importCoupons(db, list, {
    list: `Feed source ${options.sourceId}`,
    store: options.merchant,
    addsStores: true,
    keepsMissing: !options.endsMissing,
    actor: options.actor,
    now: options.now,
    dryRun: options.dryRun,
  });
  const { counts, problems, withoutCode } = report;
  return {
    counts: {
      read: list.lines.length + withoutCode,
      new: counts.added,
      changed: counts.changed,
      unchanged: counts.unchanged + counts.kept,
      ended: counts.ended,
      rejected: problems.length,
    },
    issues: [
      ...problems.map(({ line, message }) => ({
        kind: 'rejected' as const,
        line,
        external_id: null,
        reason: message,
      })),
      ...describeCouponNotes(report).map((reason) => ({
        kind: 'note' as const,
        line: null,
        external_id: null,
        reason,
      })),
    ],
  };
};

const rowsInspected = 50;

/** Returns whether the rows of a file have codes but no prices. */
export async function isCouponFeed(file: string): Promise<boolean> {
  try {
    const opened = await openParts({ file }, limits);
    try {
      const [part] = opened.parts;
      if (!part) return false;
      const { sizeLimits } = part;
      const feed = await readFeed(part.chunks(), { format: 'auto', sizeLimits, keepRaw: true });
      // The header alone is not enough, so this reads the rows.
      let rows = 0;
      let hasCodes = false;
      for await (const { values, raw = {} } of feed.rows) {
        if (values.sale_price !== undefined || values.original_price !== undefined) return false;
        hasCodes ||= Object.keys(raw).some(isCodeColumn);
        rows += 1;
        if (rows === rowsInspected) break;
      }
      return hasCodes;
    } finally {
      opened.close();
    }
  } catch (error) {
    if (error instanceof FeedError) return false;
    throw error;
  }
}
