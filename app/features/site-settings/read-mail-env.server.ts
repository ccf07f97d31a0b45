import type { Env, MailEnv } from '#app/platform/env.server.ts';
import { openSealedSecret, sealSecret } from '#app/platform/sealed-secret.server.ts';
import type { Db } from '#database/connect.ts';
import { mailEnvOf } from './mail-env.ts';
import { readSiteSettings } from './site-settings-queries.server.ts';

interface Services {
  db: Db;
  env: Pick<Env, 'mail'>;
}

/** Returns the mail configuration, without the password stored in the settings. */
export async function readMailEnv({ db, env }: Services): Promise<MailEnv> {
  return mailEnvOf(env, await readSiteSettings(db));
}

/** Returns the mail configuration, including the password. */
export async function openMailEnv({ db, env }: Services): Promise<MailEnv> {
  const { mailServer } = await readSiteSettings(db);
  const mail = mailEnvOf(env, { mailServer });
  if (mail === env.mail || !mailServer?.password || !mail.smtp) return mail;
  return { ...mail, smtp: { ...mail.smtp, password: await openPassword(db, mailServer) } };
}

/**
 * The server and user that a password belongs to. A sealed password cannot be opened for any other
 * account.
 */
interface Account {
  host: string;
  port: number;
  user: string;
}

export async function sealPassword(db: Db, account: Account, password: string): Promise<string> {
  if (password === '') return '';
  return (await sealSecret(db, sealedFor(account), Buffer.from(password))).toString('base64');
}

/** Returns the stored password of this account. Throws if it was sealed for another one. */
export async function openPassword(
  db: Db,
  { password, ...account }: Account & { password: string },
): Promise<string> {
  if (password === '') return '';
  const sealed = Buffer.from(password, 'base64');
  return (await openSealedSecret(db, sealedFor(account), sealed)).toString('utf8');
}

function sealedFor({ host, port, user }: Account) {
  return { purpose: 'mail server', owner: JSON.stringify([host, port, user]) } as const;
}
