import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { reportsThatMark } from '#app/features/deals/deals-table.ts';
import type { DealReports, ReportAbout, Tally } from './describe-reports.ts';

/** Returns visitors' reports about a deal, whose number is bounded by the `report-deal` limits. */
export async function readReports(db: Db, dealId: number): Promise<DealReports> {
  const tallies = await ask(db).rows<Tally & { about: ReportAbout; works: boolean | null }>`
    select about, code_works as works, count(*) as count, max(reported_at) as "lastAt"
      from deal_reports where deal_id = ${dealId} group by about, code_works`;
  const find = (wanted: ReportAbout, worked: boolean | null) => {
    const found = tallies.find(({ about, works }) => about === wanted && works === worked);
    return found ? { count: found.count, lastAt: found.lastAt } : null;
  };
  const over = find('over', null);
  return {
    over: over && over.count >= reportsThatMark ? over : null,
    works: find('code', true),
    fails: find('code', false),
  };
}

/** The reporting person: an account, or a stranger's token (`visitorTokens`). */
export interface Reporter {
  userId: string | null;
  mark: string;
  /** The stranger's tokens, including the one with the previous salt. */
  marks: string[];
}

type ReportInput = { dealId: number } & (
  | { about: 'over' | 'product' }
  | { about: 'code'; works: boolean; code: string }
);

/**
 * Stores a person's report in place of their earlier one. The report of a signed-in user replaces
 * an earlier one from the same IP address. After an account's report, the same IP address cannot
 * report again.
 */
export async function storeReport(db: Db, said: ReportInput, { userId, mark, marks }: Reporter) {
  const { dealId, about } = said;
  const ofCode = said.about === 'code' ? said : null;
  await db.transaction().execute(async (tx) => {
    await tx
      .deleteFrom('deal_reports')
      .where('deal_id', '=', dealId)
      .where('about', '=', about)
      .where(({ and, eb, or }) =>
        or([
          eb('user_id', '=', userId),
          and([eb('user_id', 'is', null), eb('visitor', 'in', marks)]),
        ]),
      )
      .execute();
    const isSaid =
      userId === null &&
      (await ask(tx).value<boolean>`
        select exists (select from deal_reports
          where deal_id = ${dealId} and about = ${about} and user_id is not null and visitor = any(${marks}))`);
    if (isSaid) return;
    await tx
      .insertInto('deal_reports')
      .values({
        deal_id: dealId,
        about,
        code_works: ofCode?.works ?? null,
        coupon_code: ofCode?.code ?? null,
        user_id: userId,
        visitor: mark,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}
