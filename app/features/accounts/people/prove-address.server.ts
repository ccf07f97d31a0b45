import type { Tx } from '#database/connect.ts';

/**
 * Notes that the address was shown to be the account's own. Answers whether this was the first proof: then the database
 * ended every session, passkey, second step, provider link, key and notified browser there was, since a stranger may
 * have signed up with the address (R59). The password goes along where whoever proves it did not show that they know it.
 */
export async function proveAddress(
  tx: Tx,
  userId: string,
  { knowsPassword }: { knowsPassword: boolean },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ email_verified: true, updated_at: new Date() })
    .where('id', '=', userId)
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
