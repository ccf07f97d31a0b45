import { z } from 'zod';
import { changedFields, writeAudit } from '#app/platform/audit/audit.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { orNull, text } from '#app/platform/input-fields.ts';
import { readMailAddress } from '#app/platform/mail/mail-address.server.ts';
import { verifySmtp } from '#app/platform/mail/smtp-transport.server.ts';
import { errorCode, errorMessage } from '#database/error-code.ts';
import { openPassword, sealPassword } from './read-mail-env.server.ts';
import {
  lockSettings,
  readSettingsVersion,
  readSiteSettings,
  writeSiteSetting,
} from './site-settings-queries.server.ts';
import type { SiteSettings } from './site-settings.ts';

type MailServer = NonNullable<SiteSettings['mailServer']>;

const port = 'A port from 1 to 65535, usually 587 or 465';

export const mailServerInput = z.object({
  host: text(253)
    .transform((typed) => typed.toLowerCase())
    .pipe(
      z.string().regex(/^[a-z0-9](?:[a-z0-9.:-]*[a-z0-9])?$/, 'Must be a host name or address'),
    ),
  port: z.coerce.number(port).int(port).min(1, port).max(65_535, port),
  user: text(254),
  /** Not trimmed, since spaces at the ends are part of a password. */
  password: z.string().max(1000, 'Must be at most 1000 characters'),
  from: orNull(
    z
      .string()
      .transform((typed) => readMailAddress(typed))
      .pipe(z.string('Please enter a valid email address')),
  ),
});

type MailServerInput = z.output<typeof mailServerInput>;

export type SaveMailServerResult =
  | { ok: true }
  /** Another user saved the mail server since `expectedVersion`. */
  | { ok: false; reason: 'changed-meanwhile' }
  /** The stored password belongs to another server or user, and is not sent to this one. */
  | { ok: false; reason: 'password-missing' }
  | { ok: false; reason: 'not-working'; field: keyof MailServerInput; message: string };

/** ms; the user waits for the connection test */
const patienceMs = 8_000;

/**
 * Stores the mail server with a sealed password. Unless `untested`, requires a successful
 * connection and sign-in first. An empty password keeps the stored one for the same server and
 * user.
 */
export async function saveMailServer(
  { db, env }: Pick<AppServices, 'db' | 'env'>,
  options: { input: MailServerInput; actor: string; expectedVersion: number; untested: boolean },
): Promise<SaveMailServerResult> {
  const { input, actor, expectedVersion, untested } = options;
  const { host, user, from } = input;
  const account = { host, port: input.port, user };
  const { mailServer: seen } = await readSiteSettings(db);
  const isSame = seen?.host === host && seen.port === input.port && seen.user === user;
  if (user !== '' && input.password === '' && seen?.password && !isSame) {
    return { ok: false, reason: 'password-missing' };
  }
  const isKept = isSame && input.password === '' && seen.password !== '';
  const password = isKept ? await openPassword(db, seen) : input.password;
  if (!untested) {
    const smtp = { ...account, user: user || null, password };
    const failure = await tryServer({ ...env.mail, smtp });
    if (failure) return { ok: false, reason: 'not-working', ...failure };
  }
  const next: MailServer = {
    ...account,
    from: from ?? '',
    password: isKept ? seen.password : await sealPassword(db, account, user === '' ? '' : password),
  };
  return db.transaction().execute(async (tx) => {
    await lockSettings(tx);
    if ((await readSettingsVersion(tx, ['mailServer'])) !== expectedVersion) {
      return { ok: false, reason: 'changed-meanwhile' };
    }
    const { mailServer: current } = await readSiteSettings(tx);
    await writeSiteSetting(tx, 'mailServer', next, actor);
    await writeAudit(tx, { ...act, actor, ...changedFields(told(current), told(next)) });
    return { ok: true };
  });
}

/** Removes the mail server. Later emails are kept in the outbox. */
export async function removeMailServer({ db }: Pick<AppServices, 'db'>, actor: string) {
  await db.transaction().execute(async (tx) => {
    await lockSettings(tx);
    const { mailServer: current } = await readSiteSettings(tx);
    if (current === null) return;
    await writeSiteSetting(tx, 'mailServer', null, actor);
    await writeAudit(tx, { ...act, actor, ...changedFields(told(current), told(null)) });
  });
}

const act = { action: 'settings.update', entity: 'site_settings', entityId: 'mailServer' };

/** Returns the server for the audit log, without its password. */
function told(server: MailServer | null) {
  const { host = '', port: at = null, user = '', from = '' } = server ?? {};
  return { mailHost: host, mailPort: at, mailUser: user, mailFrom: from };
}

async function tryServer(
  mail: Parameters<typeof verifySmtp>[0],
): Promise<{ field: keyof MailServerInput; message: string } | null> {
  try {
    await verifySmtp(mail, patienceMs);
    return null;
  } catch (error) {
    return describeFailure(error);
  }
}

/**
 * Describes why the server can't be used. A reply is never shown, since it may come from another
 * service and be confidential.
 */
function describeFailure(error: unknown): { field: keyof MailServerInput; message: string } {
  const code = errorCode(error);
  const detail = errorMessage(error);
  if (code === 'EAUTH') {
    return { field: 'password', message: 'The server rejected the user name or the password.' };
  }
  if (/certificate|self.signed|altname/i.test(detail)) {
    return { field: 'host', message: 'The server’s certificate is not valid for this name.' };
  }
  if (/ENOTFOUND|EAI_AGAIN|EDNS/.test(`${code} ${detail}`)) {
    return { field: 'host', message: 'This name was not found.' };
  }
  const message = /ECONNREFUSED|ENETUNREACH|EHOSTUNREACH/.test(detail)
    ? 'Nothing accepts connections at this port.'
    : 'No mail server answered at this port.';
  return { field: 'port', message };
}
