import { createPrivateKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Env } from '#app/platform/env.server.ts';
import { type CheckResult, fine, problem, warning } from '#app/platform/check-result.ts';
import { describeMail, verifySmtp } from '#app/platform/mail/smtp-transport.server.ts';
import { errorCode, errorMessage } from '#database/error-code.ts';

/** Errors that this server's own network may cause. */
const unreachable = /^(?:ENOTFOUND|EAI_AGAIN|EDNS|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ETIMEOUT)$/;

/**
 * Checks whether the mail server accepts a connection and the credentials, and whether emails can
 * be signed. Sends nothing.
 */
export async function examineMailServer(
  { mail }: Pick<Env, 'mail'>,
  patienceMs = 5_000,
): Promise<CheckResult[]> {
  if (mail.smtp === null) return [];
  const key = mail.dkim === null ? [] : [await examineDkimKey(mail.dkim.privateKeyFile)];
  return [await examineSmtp(mail, patienceMs), ...key];
}

async function examineSmtp(mail: Env['mail'], patienceMs: number): Promise<CheckResult> {
  const name = 'mail server';
  try {
    await verifySmtp(mail, patienceMs);
    return fine(name, `${describeMail(mail)} accepts connections`);
  } catch (error) {
    const detail = `${describeMail(mail)} cannot be used: ${errorMessage(error)}`;
    const code = errorCode(error);
    if (code === 'EAUTH') {
      return problem(
        name,
        detail,
        'Correct the user and password in SMTP_URL, in SMTP_USER and SMTP_PASSWORD, or in the settings.',
      );
    }
    if (/certificate/i.test(errorMessage(error))) {
      return problem(name, detail, 'Set the host to the name in its certificate, or renew that.');
    }
    const settings = 'SMTP_URL, in SMTP_HOST and SMTP_PORT, or in the settings';
    return unreachable.test(causeOf(error))
      ? warning(name, detail, `Is this server online, and is its name correct in ${settings}?`)
      : problem(
          name,
          detail,
          `Is the email server running? Correct its host and port in ${settings}.`,
        );
  }
}

/** Returns the code of a connection error, which Nodemailer puts into `cause` or the message. */
function causeOf(error: unknown): string {
  const code = errorCode(error);
  const named = /\b(E[A-Z_]{4,})\b/.exec(errorMessage(error))?.[1];
  return code === 'ESOCKET' || code === 'ECONNECTION' ? (named ?? code) : code;
}

async function examineDkimKey(file: string): Promise<CheckResult> {
  const name = 'DKIM key';
  try {
    createPrivateKey(await readFile(file));
    return fine(name, file);
  } catch (error) {
    const code = errorCode(error);
    const detail = /^E[A-Z]+$/.test(code)
      ? `${file} cannot be read (${code}): no email can be sent`
      : `${file} contains no PEM private key: no email can be sent`;
    const fix = 'Put a private key there, or correct DKIM_PRIVATE_KEY.';
    return problem(name, detail, fix);
  }
}
