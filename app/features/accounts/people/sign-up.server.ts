import type { AppServices } from '#app/platform/app-context.server.ts';
import { errorCode } from '#database/error-code.ts';
import { keepPassword, makeAccount } from './make-account.server.ts';
import { mailAccount, mayMail } from './mail-account.server.ts';
import { hashPassword } from '../passwords/password-hash.server.ts';
import { userByEmail } from './user-queries.server.ts';

type Services = Pick<AppServices, 'db' | 'env' | 'log'>;

/**
 * Creates an account and emails its verification link. If the address is taken, the email states
 * this. The response is the same in both cases.
 */
export async function signUp(
  services: Services,
  { fullName, email, password }: { fullName: string; email: string; password: string },
  address: string,
): Promise<void> {
  const { db, log } = services;
  if (!(await mayMail(services, email, address))) return;
  const passwordHash = await hashPassword(password);
  try {
    await db.transaction().execute(async (tx) => {
      const taken = await userByEmail(tx, email).select('id').executeTakeFirst();
      if (taken) return mailAccount(tx, 'already-registered', { email });
      const id = await makeAccount(tx, { email, fullName });
      await keepPassword(tx, id, passwordHash);
      await mailAccount(tx, 'verify-email', { id, email });
    });
  } catch (error) {
    // A parallel sign-up with the same address was first.
    if (errorCode(error) !== '23505') throw error;
    log.info({ event: 'sign-up-collision' }, 'two sign-ups with one address');
  }
}
