import type { AppServices } from '#app/platform/app-context.server.ts';
import { queueMail } from '#app/platform/mail/queue-mail.server.ts';
import { errorCode } from '#database/error-code.ts';
import { authOn } from './auth.server.ts';
import { newToken } from './hash-token.server.ts';
import { mayMail } from './may-mail.server.ts';
import { hashPassword } from './password-hash.server.ts';
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
  const { db, env, log } = services;
  if (!(await mayMail(services, email, address))) return;
  const passwordHash = await hashPassword(password);
  try {
    await db.transaction().execute(async (tx) => {
      const { api } = await authOn(tx, { origin: env.origin, passwordHash });
      const made = await api.signUpEmail({ body: { name: fullName, email, password } });
      const user = await tx
        .selectFrom('users')
        .select('id')
        .where('id', '=', made.user.id)
        .executeTakeFirst();
      if (user) {
        await queueVerification(tx, { id: user.id, email });
        return;
      }
      // For a taken address the library answers a user that does not exist.
      await queueMail(tx, {
        key: `already-registered:${newToken()}`,
        kind: 'already-registered',
        to: email,
        props: {},
      });
    });
  } catch (error) {
    // Two at once with the same address: the other one made it.
    if (!isTaken(error)) throw error;
    log.info({ event: 'sign-up-collision' }, 'two sign-ups with one address');
  }
}

function isTaken(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const body = (error as Error & { body?: { code?: string } }).body;
  return errorCode(error) === '23505' || body?.code === 'FAILED_TO_CREATE_USER';
}
