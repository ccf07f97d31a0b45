import { randomUUID } from 'node:crypto';
import type { Tx } from '#database/connect.ts';
import type { Role } from '#database/schema/account-tables.ts';

/**
 * Creates an account without a sign-in method and returns its id. `email` is in lower case. Throws
 * 23505 if the address is taken.
 */
export async function makeAccount(
  tx: Tx,
  person: { email: string; fullName: string; isVerified?: boolean; role?: Role },
): Promise<string> {
  const { email, fullName, isVerified = false, role = 'user' } = person;
  const id = randomUUID();
  await tx
    .insertInto('users')
    .values({ id, email, full_name: fullName, email_verified: isVerified, role })
    .execute();
  return id;
}

/** Stores the password's hash and replaces an earlier one. */
export async function keepPassword(tx: Tx, userId: string, password: string): Promise<void> {
  const way = { id: randomUUID(), user_id: userId, provider_id: 'credential', account_id: userId };
  await tx
    .insertInto('accounts')
    .values({ ...way, password })
    .onConflict((conflict) =>
      conflict
        .columns(['provider_id', 'account_id'])
        .doUpdateSet({ password, updated_at: new Date() }),
    )
    .execute();
}

/**
 * Links a provider, which knows the user as `subject`. Throws 23505 if that subject is already
 * linked to an account.
 */
export async function linkProvider(
  tx: Tx,
  userId: string,
  { providerId, subject }: { providerId: string; subject: string },
): Promise<void> {
  const way = { id: randomUUID(), user_id: userId, provider_id: providerId, account_id: subject };
  await tx.insertInto('accounts').values(way).execute();
}
