import { type DestinationStream, type Logger, pino } from 'pino';
import { errorMessage } from '#database/error-code.ts';

export type Log = Logger;

/** Fields that are never logged, wherever in a line they appear. */
const secretFields = ['password', 'token', 'secret', 'cookie', 'authorization', 'set-cookie'];

/**
 * Writes one JSON object per line, with times in UTC. JSON escapes line breaks, so that no
 * visitor's text can forge a line. By default, lines that arrive during a write are written
 * together. Waiting for each line would cost a busy site more time than its pages.
 */
export function createLog(
  level: string,
  destination: DestinationStream = pino.destination({ sync: false }),
): Log {
  const options = {
    level,
    base: undefined,
    timestamp: isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
    redact: {
      paths: secretFields.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
      censor: '[removed]',
    },
  };
  return pino(options, destination);
}

let lastMoment = 0;
let lastTime = '';

function isoTime(): string {
  const moment = Date.now();
  if (moment !== lastMoment) {
    lastMoment = moment;
    lastTime = `,"time":"${new Date(moment).toISOString()}"`;
  }
  return lastTime;
}

/**
 * Creates the log of requests. All of its fields are ours, and searching them for secrets would
 * cost ten times as much.
 */
export function createRequestLog(log: Log): Log {
  return log.child({}, { redact: [] });
}

interface DescribedError {
  type: string;
  message: string;
  code?: string;
  stack?: string;
  cause?: DescribedError;
}

/**
 * Describes an error for the log. The database's `detail` and the parameters are omitted, since
 * they contain what visitors typed.
 */
export function describeError(error: unknown, depth = 0): DescribedError {
  const { code, stack, cause }: Record<string, unknown> = Object(error);
  return {
    type: error instanceof Error ? error.name : typeof error,
    message: hideCredentials(errorMessage(error)),
    ...(typeof code === 'string' || typeof code === 'number' ? { code: String(code) } : {}),
    ...(typeof stack === 'string' ? { stack: hideCredentials(stack) } : {}),
    ...(cause !== undefined && depth < 3 ? { cause: describeError(cause, depth + 1) } : {}),
  };
}

/**
 * Hides credentials in a text. A password may contain an `@`, so the hidden part ends at the last
 * one before the path.
 */
function hideCredentials(text: string): string {
  return text.replace(/([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/]*@/gi, '$1[removed]@');
}
