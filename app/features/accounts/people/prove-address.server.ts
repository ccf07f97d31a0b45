import type { Tx } from '#database/connect.ts';
import { updateUser } from './user-queries.server.ts';

/**
 * Marks the address as verified, and returns whether this was the first time. Since a stranger may
 * have signed up with the address, the database then removes every session, passkey, two-factor
 * setup, provider link, key and notified browser. The password is removed too, unless the user just
 * entered it.
 */
export async function proveAddress(
  tx: Tx,
  userId: string,
  { knowsPassword }: { knowsPassword: boolean },
): Promise<boolean> {
  const { numUpdatedRows } = await updateUser(tx, userId)
    .set({ email_verified: true, updated_at: new Date() })
    .where('email_verified', '=', false)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  if (!knowsPassword) {
    await tx
      .deleteFrom('accounts')
      .where('user_id', '=', userId)
      .where('provider_id', '=', 'credential')
      .execute();
  }
  return true;
}
