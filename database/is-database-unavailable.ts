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
  '25006', // it only reads: a standby, or a primary that is being replaced (R62)
  '53100', // its disk is full: what is there can still be read, and writing works again when there is room (R36)
  '53300', // too many connections
  '57P01', // shut down by its administrator
  '57P02', // crashed
  '57P03', // starting up
]);

/** Whether a failure means "the database is away": worth a retry in a moment, unlike a mistake of ours. */
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
