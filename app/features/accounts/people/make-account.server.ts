import { randomUUID } from 'node:crypto';
import type { Tx } from '#database/connect.ts';
import type { Role } from '#database/schema/account-tables.ts';

interface Person {
  /** In lower case. */
  email: string;
  fullName: string;
  isVerified?: boolean;
  role?: Role;
}

/** A new account, with no way in yet. Answers its id; throws 23505 where the address is taken. */
export async function makeAccount(
  tx: Tx,
  { email, fullName, isVerified = false, role = 'user' }: Person,
): Promise<string> {
  const id = randomUUID();
  await tx
    .insertInto('users')
    .values({ id, email, full_name: fullName, email_verified: isVerified, role })
    .execute();
  return id;
}

/** Lets them in by this password, given as its hash, instead of any before. */
export async function keepPassword(tx: Tx, userId: string, password: string): Promise<void> {
  await tx
    .insertInto('accounts')
    .values({
      id: randomUUID(),
      user_id: userId,
      provider_id: 'credential',
      account_id: userId,
      password,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['provider_id', 'account_id'])
        .doUpdateSet({ password, updated_at: new Date() }),
    )
    .execute();
}

/** Lets them in by a provider, which knows them as `subject`. Throws 23505 where that opens an account already. */
export async function linkProvider(
  tx: Tx,
  userId: string,
  { providerId, subject }: { providerId: string; subject: string },
): Promise<void> {
  await tx
    .insertInto('accounts')
    .values({
      id: randomUUID(),
      user_id: userId,
      provider_id: providerId,
      account_id: subject,
    })
    .execute();
}
