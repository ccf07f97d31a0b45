import { FeedError } from '#app/features/feeds/formats/feed-error.ts';
import {
  type CouponImportReport,
  importCoupons,
} from '#app/features/coupons/import-coupons.server.ts';
import { couponMessages } from '#app/features/coupons/coupon-messages.ts';
import {
  type CouponFields,
  readCouponList,
} from '#app/features/coupons/read-coupon-list.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import type { Post } from '#app/platform/read-post.server.ts';
import { mostPreviewedBytes, readPreviewedFile } from '../frame/read-previewed-file.server.ts';

const mostPreviewed = 20;
const sizeLimits = { rawBytes: mostPreviewedBytes, unpackedBytes: 20 * mostPreviewedBytes };

export interface CouponUpload {
  /** The file as base64: the preview posts it again. */
  content: string;
  list: string;
  store: string;
  addsStores: boolean;
}

export type CouponUploadOutcome =
  | { ok: false; message: string; upload: Omit<CouponUpload, 'content'> }
  | { ok: true; upload: CouponUpload; first: CouponRow[]; report: CouponImportReport };

/** A coupon as the preview shows it. */
interface CouponRow {
  line: number;
  store: string;
  coupon: CouponFields;
}

/** Reads the posted or previewed file, and imports it on request. */
export async function readCouponUpload(
  { form, text, services: { db, now }, intent }: Post,
  actor: string,
): Promise<CouponUploadOutcome> {
  const { content, name } = await readPreviewedFile(form);
  const upload = {
    list: (text('list').trim() || name).slice(0, 200),
    store: text('store').trim(),
    addsStores: form.has('adds_stores'),
  };
  const refuse = (message: string) => ({ ok: false as const, message, upload });
  if (content.length === 0) return refuse(couponMessages.noFile);
  if (content.length > mostPreviewedBytes) return refuse(couponMessages.tooLarge);
  try {
    const { timeZone } = await readSiteSettings(db);
    const read = await readCouponList(piecesOf(content), { timeZone, sizeLimits });
    const options = { ...upload, actor, now: now(), dryRun: intent !== 'import' };
    const report = await importCoupons(db, read, options);
    const refused = new Set(report.problems.map(({ line }) => line));
    const first = read.lines
      .flatMap((row) => ('coupon' in row && !refused.has(row.line) ? [row] : []))
      .slice(0, mostPreviewed);
    return { ok: true, upload: { ...upload, content: content.toString('base64') }, first, report };
  } catch (error) {
    if (error instanceof FeedError)
      return refuse(`${couponMessages.unreadable}: ${error.message}.`);
    throw error;
  }
}

async function* piecesOf(content: Buffer) {
  yield content;
}
