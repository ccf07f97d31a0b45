import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { TLSSocket } from 'node:tls';
import { type CheckResult, problem, warning, fine } from '#app/platform/check-result.ts';
import { securityHeaders } from '#server/security-headers.ts';
import { errorCode, errorMessage } from '#database/error-code.ts';

const patienceMs = 5000;
const leastDays = 14;

/**
 * Checks the site at its public URL, because a proxy may drop headers and its certificate may
 * expire.
 */
export async function examineAddress(origin: string, now: Date): Promise<CheckResult[]> {
  let answer: IncomingMessage;
  try {
    answer = await ask(`${origin}/health/live`);
  } catch (error) {
    const [code, message] = [errorCode(error), errorMessage(error)];
    const isOfTls = /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code);
    const name = isOfTls ? 'TLS' : 'headers';
    if (isOfTls) {
      const fix = 'Renew the certificate of the reverse proxy, including its chain.';
      return [problem(name, `${origin}: ${message}`, fix)];
    }
    if (/^(?:ENOTFOUND|EAI_AGAIN)$/.test(code)) {
      const detail = `${new URL(origin).hostname} does not resolve from here (${code})`;
      const fix = 'Add an A or AAAA record that points to this server, or correct ORIGIN.';
      return [warning('ORIGIN DNS', detail, fix)];
    }
    const detail = `not checked: ${origin} does not respond from here (${code || message})`;
    return [warning(name, detail, 'Start the site and run the check again.')];
  }
  const { socket } = answer;
  const certificate = socket instanceof TLSSocket ? socket.getPeerCertificate() : null;
  const ends = certificate?.valid_to;
  const held = ends ? [checkCertificate(new Date(ends), now)] : [];
  return [examineHeaders(origin, answer), ...held];
}

function examineHeaders(origin: string, answer: IncomingMessage): CheckResult {
  const name = 'headers';
  const wanted = Object.entries(securityHeaders(origin));
  const lost = wanted.flatMap(([header, value]) =>
    answer.headers[header] === value ? [] : [header],
  );
  if (!answer.headers['content-security-policy']) lost.push('content-security-policy');
  if (answer.statusCode === 421) {
    const fix = 'Configure the reverse proxy to pass the Host header on.';
    return problem(name, `${origin} reaches the site with a different Host header`, fix);
  }
  if (lost.length === 0) return fine(name, `${origin} sends all security headers`);
  const fix =
    'Make sure that ORIGIN is this site, and that the proxy passes its headers on unchanged.';
  return problem(name, `${origin} changes or drops ${lost.join(', ')}`, fix);
}

/** Checks how long the certificate of the public URL is still valid. */
export function checkCertificate(ends: Date, now: Date): CheckResult {
  const days = Math.floor((ends.getTime() - now.getTime()) / 86_400_000);
  const detail = `the certificate is valid for ${days} more days`;
  return days >= leastDays
    ? fine('TLS', detail)
    : warning('TLS', detail, 'Renew it now, and check that it is renewed automatically.');
}

function ask(address: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const start = address.startsWith('https:') ? requestHttps : requestHttp;
    const request = start(address, { timeout: patienceMs, agent: false }, (answer) => {
      answer.resume();
      resolve(answer);
    });
    request.on('timeout', () => request.destroy(new Error('no response in time')));
    request.on('error', reject);
    request.end();
  });
}
