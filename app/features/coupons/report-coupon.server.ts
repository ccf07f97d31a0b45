import {
  admitReporter,
  type ReportResult,
  type ReportSender,
} from '#app/features/reports/report-deal.server.ts';
import { reportMessages } from '#app/features/reports/report-messages.ts';
import type { Reporter } from '#app/features/reports/report-queries.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { readText } from '#app/platform/read-text.ts';
import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { couponMessages } from './coupon-messages.ts';
import { isLive } from './coupon-queries.server.ts';

export interface ReportedCoupon {
  id: number;
  code: string;
  title: string;
  merchant: string;
  merchant_slug: string;
  isLive: boolean;
}

/** Returns `null` for an unknown coupon. */
export function findReportedCoupon(db: Db, id: number, now: Date): Promise<ReportedCoupon | null> {
  return ask(db).row<ReportedCoupon>`
    select c.id, c.code, c.title, m.name as merchant, m.slug as merchant_slug,
           ${isLive(sql`${now}::timestamptz`)} as "isLive"
      from coupons c join merchants m on m.id = c.merchant_id where c.id = ${id}`;
}

/**
 * Stores a visitor's report of whether a coupon's code works. A person's last report on a day
 * replaces earlier ones. People are distinguished as in `reportDeal`.
 */
export async function reportCoupon(
  services: AppServices,
  coupon: ReportedCoupon,
  form: FormData,
  from: ReportSender,
): Promise<ReportResult> {
  const refuse = (message: string) => ({ ok: false, reason: 'refused', message }) as const;
  if (!coupon.isLive) return refuse(couponMessages.over);
  // A report about another code does not count for this one.
  if (readText(form, 'code') !== coupon.code) return refuse(couponMessages.codeChanged);
  const works = readText(form, 'works');
  if (works !== 'yes' && works !== 'no') return refuse(reportMessages.notAnswered);
  const admitted = await admitReporter(services, form, `coupon ${coupon.id}`, from);
  if (!admitted.ok) return admitted;
  const said = { couponId: coupon.id, works: works === 'yes', at: services.now() };
  await storeCouponReport(services.db, said, admitted.reporter);
  return { ok: true };
}

/**
 * Stores a person's report, replacing one of the same day. A signed-in user's report replaces the
 * one from the same IP address, and later reports from that address do not count.
 */
export async function storeCouponReport(
  db: Db,
  { couponId, works, at }: { couponId: number; works: boolean; at: Date },
  { userId, mark, marks }: Reporter,
): Promise<void> {
  const day = at.toISOString().slice(0, 10);
  await db.transaction().execute(async (tx) => {
    // Does nothing if the coupon was deleted in the meantime.
    if (!(await ask(tx).value`select id from coupons where id = ${couponId} for key share`)) return;
    await sql`
      delete from coupon_reports where coupon_id = ${couponId} and reported_on = ${day}::date
         and (user_id = ${userId} or (user_id is null and visitor = any(${marks})))`.execute(tx);
    await sql`
      insert into coupon_reports (coupon_id, works, user_id, visitor, reported_on, reported_at)
      select ${couponId}, ${works}, ${userId}, ${mark}, ${day}::date, ${at}
       where ${userId}::text is not null or not exists (
         select from coupon_reports where coupon_id = ${couponId} and reported_on = ${day}::date
            and user_id is not null and visitor = any(${marks}))
      on conflict do nothing`.execute(tx);
  });
}
