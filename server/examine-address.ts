import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { TLSSocket } from 'node:tls';
import type { Finding } from '#app/platform/finding.ts';
import { securityHeaders } from '#server/security-headers.ts';

const patienceMs = 5000;
const leastDays = 14;

/** Asks the site by the address visitors type: what stands between may lose headers, or its certificate may end. */
export async function examineAddress(origin: string, now: Date): Promise<Finding[]> {
  let answer: IncomingMessage;
  try {
    answer = await ask(`${origin}/health/live`);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    const isOfTls = /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code);
    const name = isOfTls ? 'TLS' : 'headers';
    if (isOfTls) {
      const mend = 'Renew the certificate of the reverse proxy, its chain included.';
      return [{ name, state: 'problem', says: `${origin}: ${message}`, mend }];
    }
    const says = `not looked at: ${origin} does not answer from here (${code || message})`;
    return [{ name, state: 'warning', says, mend: 'Start the site and ask again.' }];
  }
  return [examineHeaders(origin, answer), ...examineCertificate(answer, now)];
}

function examineHeaders(origin: string, answer: IncomingMessage): Finding {
  const name = 'headers';
  const wanted = securityHeaders(origin);
  const lost: string[] = [];
  for (let n = 0; n < wanted.length; n += 2) {
    const header = wanted[n] ?? '';
    if (answer.headers[header] !== wanted[n + 1]) lost.push(header);
  }
  if (!answer.headers['content-security-policy']) lost.push('content-security-policy');
  if (answer.statusCode === 421) {
    const mend = 'Let the reverse proxy pass the Host header on.';
    return { name, state: 'problem', says: `${origin} is answered as another host`, mend };
  }
  if (lost.length === 0) {
    return { name, state: 'ok', says: `${origin} sends all security headers` };
  }
  const mend = 'Is it this site that answers there? A proxy must pass its headers on unchanged.';
  return { name, state: 'problem', says: `${origin} sends another ${lost.join(', ')}`, mend };
}

function examineCertificate(answer: IncomingMessage, now: Date): Finding[] {
  const socket = answer.socket as Partial<TLSSocket>;
  const certificate = socket.getPeerCertificate?.();
  if (!certificate?.valid_to) return [];
  return [certificateFinding(new Date(certificate.valid_to), now)];
}

/** How long the certificate of the public address still holds. */
export function certificateFinding(ends: Date, now: Date): Finding {
  const days = Math.floor((ends.getTime() - now.getTime()) / 86_400_000);
  const says = `the certificate holds for ${days} more days`;
  return days >= leastDays
    ? { name: 'TLS', state: 'ok', says }
    : { name: 'TLS', state: 'warning', says, mend: 'Is it renewed by itself? Renew it now.' };
}

function ask(address: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const start = address.startsWith('https:') ? requestHttps : requestHttp;
    const request = start(address, { timeout: patienceMs, agent: false }, (answer) => {
      answer.resume();
      resolve(answer);
    });
    request.on('timeout', () => request.destroy(new Error('no answer in time')));
    request.on('error', reject);
    request.end();
  });
}
