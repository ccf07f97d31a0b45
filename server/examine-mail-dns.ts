import { Resolver } from 'node:dns/promises';
import type { Env } from '#app/platform/env.server.ts';
import { type CheckResult, fine, warning } from '#app/platform/check-result.ts';
import { errorCode } from '#database/error-code.ts';

/** Checks the DNS records that authenticate the site's emails: SPF, DKIM and DMARC. */
export async function examineMailDns(
  { mail }: Pick<Env, 'mail'>,
  readTexts = readTextsOfDns,
): Promise<CheckResult[]> {
  const name = 'mail DNS';
  if (!mail.smtp) return [fine(name, 'not needed: there is no email server')];
  const domain = mail.from.slice(mail.from.lastIndexOf('@') + 1).toLowerCase();
  if (domain === 'localhost' || /^(?:[\d.]+|\[.*\])$/.test(domain)) {
    const fix = 'Set SMTP_FROM to an address of a domain of yours.';
    return [warning(name, `emails come from ${mail.from}`, fix)];
  }
  const wanted = [
    { at: domain, is: /^v=spf1\b/i, what: 'SPF', fix: 'v=spf1 with the addresses of SMTP_URL' },
    { at: `_dmarc.${domain}`, is: /^v=DMARC1\b/i, what: 'DMARC', fix: 'v=DMARC1; p=quarantine' },
  ];
  if (mail.dkim) {
    const at = `${mail.dkim.selector}._domainkey.${mail.dkim.domain}`;
    const fix = 'the public key of DKIM_PRIVATE_KEY';
    wanted.push({ at, is: /\bp=[A-Za-z0-9+/]/, what: 'DKIM', fix });
  }
  return Promise.all(
    wanted.map(async ({ at, is, what, fix }): Promise<CheckResult> => {
      try {
        const texts = await readTexts(at);
        if (texts.some((text) => is.test(text))) return fine(what, at);
        const detail = `no ${what} record at ${at}: receivers may reject emails`;
        return warning(what, detail, `Add a TXT record there: ${fix}.`);
      } catch (error) {
        const code = errorCode(error) || 'unknown';
        const detail = `${at} could not be looked up (${code})`;
        return warning(what, detail, 'Can this server reach its DNS resolver?');
      }
    }),
  );
}

/** Checks whether late bounces reach the site. */
export function examineBounces({ mail: { smtp, bounces } }: Pick<Env, 'mail'>): CheckResult {
  const name = 'bounces';
  if (!smtp) return fine(name, 'not needed: there is no email server');
  const names = {
    mailbox: 'a mailbox',
    webhookSecret: 'the webhook',
    sesTopic: 'Amazon SES',
    sendgridKey: 'SendGrid',
    mailgunSecret: 'Mailgun',
  } as const;
  const ways = Object.entries(names).filter(([key]) => bounces[key as keyof typeof names] !== null);
  if (ways.length > 0) return fine(name, `reported by ${ways.map(([, way]) => way).join(', ')}`);
  const detail = 'only rejections by the email server are noticed, but most bounces arrive later';
  return warning(name, detail, 'docs/operations.md, “Bounces and complaints”.');
}

/** Reads TXT records. Returns none if the name does not exist, and rejects on any other failure. */
async function readTextsOfDns(name: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  try {
    return (await resolver.resolveTxt(name)).map((pieces) => pieces.join(''));
  } catch (error) {
    if (['ENOTFOUND', 'ENODATA'].includes(errorCode(error))) return [];
    throw error;
  }
}
