import type { AppServices } from '#app/platform/app-context.server.ts';
import { queueMail } from '#app/platform/mail/queue-mail.server.ts';
import { errorCode } from '#database/error-code.ts';
import { newToken } from '../hash-token.server.ts';
import { keepPassword, makeAccount } from './make-account.server.ts';
import { mayMail } from './may-mail.server.ts';
import { hashPassword } from '../passwords/password-hash.server.ts';
import { queueVerification } from './verify-email.server.ts';

type Services = Pick<AppServices, 'db' | 'env' | 'log'>;

/**
 * Makes an account and mails the link that verifies its address. An address that is taken gets a mail that says so;
 * the visitor cannot tell the two apart (P10, R13). So there is nothing to answer.
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
      const taken = await tx
        .selectFrom('users')
        .select('id')
        .where('email', '=', email)
        .executeTakeFirst();
      if (taken) {
        await queueMail(tx, {
          key: `already-registered:${newToken()}`,
          kind: 'already-registered',
          to: email,
          props: {},
        });
        return;
      }
      const id = await makeAccount(tx, { email, fullName });
      await keepPassword(tx, id, passwordHash);
      await queueVerification(tx, { id, email });
    });
  } catch (error) {
    // Two at once with the same address: the other one made it.
    if (errorCode(error) !== '23505') throw error;
    log.info({ event: 'sign-up-collision' }, 'two sign-ups with one address');
  }
}
