import { errorCode } from '#database/error-code.ts';

const codes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  '25006', // The server is read-only: a standby, or a primary that is being replaced.
  '53100', // The disk is full: reads still work, and writes work again once there is space.
  '53300', // There are too many connections.
  '57P01', // The administrator shut the server down.
  '57P02', // The server crashed.
  '57P03', // The server is starting up.
]);

/**
 * Returns whether a failure means that the database is unreachable, so that a retry may soon
 * succeed, rather than a bug.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = errorCode(error);
  if (codes.has(code) || code.startsWith('08')) return true;
  if (
    /timeout exceeded when trying to connect|^timeout expired$|^Query read timeout$|^Connection terminated|^Client (?:has encountered a connection error|was closed)/.test(
      error.message,
    )
  )
    return true;
  return isDatabaseUnavailable(error.cause);
}
