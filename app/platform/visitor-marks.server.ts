import { createHmac, randomBytes } from 'node:crypto';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { strangerKey } from '#app/platform/address-key.ts';
import { storedSecret } from '#app/platform/site-secret.server.ts';
import { daysReported } from '#database/table-rules.ts';

const saltedForMs = daysReported * 24 * 3600 * 1000;

/**
 * Returns tokens that distinguish anonymous visitors when they report on `thing`. A token is a hash
 * of the IP address (IPv6: its /48) with a salt. The salt is replaced every two weeks and deleted
 * two weeks later. The hash with the earlier salt is returned too. Two things have no token in
 * common, so that no one can be tracked from one to the other.
 */
export async function visitorTokens(
  { db, now }: Pick<AppServices, 'db' | 'now'>,
  thing: string,
  address: string,
): Promise<{ mark: string; marks: string[] }> {
  const period = Math.floor(now().getTime() / saltedForMs);
  const salt = await storedSecret(db, saltName(period), () =>
    randomBytes(32).toString('base64url'),
  );
  const earlier = await db
    .selectFrom('site_secrets')
    .select('value')
    .where('name', '=', saltName(period - 1))
    .execute();
  const hashWith = (key: string) =>
    createHmac('sha256', key)
      .update(`${thing} ${strangerKey(address)}`)
      .digest('base64url');
  const mark = hashWith(salt);
  return { mark, marks: [mark, ...earlier.map(({ value }) => hashWith(value))] };
}

function saltName(period: number): string {
  return `visitor salt ${period}`;
}
