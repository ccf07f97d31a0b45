import type { Db } from '#database/connect.ts';
import { readMailAddress } from '../mail-address.server.ts';
import { findNewestMail, suspendAddress, type Suspension } from '../suspension-queries.server.ts';
import type { MailReport } from './mail-report.ts';

/**
 * Suspends the addresses of reports and returns how many are new. Only addresses that this site
 * recently wrote to are suspended, since a provider's account may serve other sites too.
 */
export async function noteMailReports(
  db: Db,
  source: Suspension['source'],
  reports: readonly MailReport[],
): Promise<number> {
  let news = 0;
  for (const report of reports) {
    const address = readMailAddress(report.address);
    if (!address) continue;
    const mailId = await findNewestMail(db, address);
    if (mailId === null) continue;
    if (await suspendAddress(db, { ...report, address, source, mailId })) news += 1;
  }
  return news;
}
