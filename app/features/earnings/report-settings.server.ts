import type { Db } from '#database/connect.ts';
import type { NetworkId } from './affiliate-networks.ts';
import { noChoices, type ReportChoices } from './read-report.server.ts';

/** Returns what the owner chose for a network's last report. */
export async function readReportChoices(db: Db, network: NetworkId): Promise<ReportChoices> {
  const row = await db
    .selectFrom('report_settings')
    .where('network', '=', network)
    .select(['columns', 'currency', 'decimal_mark', 'day_order'])
    .executeTakeFirst();
  if (!row) return noChoices;
  const { columns, currency, decimal_mark: decimalMark, day_order: dayOrder } = row;
  return { columns, currency, decimalMark, dayOrder };
}

/** Stores the owner's choices for the network's next report. */
export async function saveReportChoices(
  db: Db,
  network: NetworkId,
  { columns, currency, decimalMark, dayOrder }: ReportChoices,
): Promise<void> {
  const chosen = {
    columns: JSON.stringify(columns),
    currency,
    decimal_mark: decimalMark,
    day_order: dayOrder,
  };
  await db
    .insertInto('report_settings')
    .values({ network, ...chosen })
    .onConflict((conflict) => conflict.column('network').doUpdateSet(chosen))
    .execute();
}
