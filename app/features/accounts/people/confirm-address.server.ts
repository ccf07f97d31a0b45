import type { AppServices } from '#app/platform/app-context.server.ts';
import type { OutboxMail } from '#app/platform/mail/mail-kind.server.ts';
import { mailToken, readMailToken } from '#app/platform/mail/stop-token.server.ts';
import { findSuspension, liftByConfirming } from '#app/platform/mail/suspension-queries.server.ts';
import type { Db } from '#database/connect.ts';
import { mailAccount, mayMail } from './mail-account.server.ts';

/** Emails the user a link that resumes newsletters and alerts to their suspended address. */
export async function sendAddressConfirmation(
  services: Pick<AppServices, 'db' | 'env' | 'log'>,
  user: { id: string; email: string },
  address: string,
): Promise<void> {
  const { db } = services;
  if (!(await findSuspension(db, user.email)) || !(await mayMail(services, user.email, address))) {
    return;
  }
  await db.transaction().execute((tx) => mailAccount(tx, 'confirm-address', user));
}

/**
 * Returns the link's path, or `null` if the address is no longer suspended. The link is valid for
 * this suspension only.
 */
export async function makeConfirmationPath(
  db: Db,
  { recipient }: Pick<OutboxMail, 'recipient'>,
): Promise<string | null> {
  const suspension = await findSuspension(db, recipient);
  if (!suspension) return null;
  const { id, since } = suspension;
  return `/confirm-address?token=${await mailToken(db, 'confirm', `${id}-${since.getTime()}`)}`;
}

/**
 * Returns the suspended address of a link, or `null` if the link is forged or the address is no
 * longer suspended.
 */
export async function findAddressToConfirm(db: Db, token: string): Promise<string | null> {
  const suspension = await readToken(db, token);
  if (!suspension) return null;
  const row = await db
    .selectFrom('mail_suspensions')
    .select(['recipient', 'since'])
    .where('id', '=', suspension.id)
    .where('lifted_at', 'is', null)
    .executeTakeFirst();
  return row?.since.getTime() === suspension.since ? row.recipient : null;
}

/** Lifts the suspension. Returns whether the address was suspended. */
export async function confirmAddress(db: Db, token: string): Promise<boolean> {
  const recipient = await findAddressToConfirm(db, token);
  if (recipient === null) return false;
  await liftByConfirming(db, recipient);
  return true;
}

async function readToken(db: Db, token: string): Promise<{ id: number; since: number } | null> {
  const wish = await readMailToken(db, token, ['confirm']);
  const [id, since] = wish?.id.split('-').map(Number) ?? [];
  return id && since ? { id, since } : null;
}
