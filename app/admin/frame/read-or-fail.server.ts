import { data, type RouterContextProvider } from 'react-router';
import { errorCode } from '#database/error-code.ts';
import { isDatabaseUnavailable } from '#database/is-database-unavailable.ts';
import { appServices, requestFacts } from '#app/platform/app-context.server.ts';

export type Context = Readonly<Pick<RouterContextProvider, 'get'>>;

/** The loader's result when its screen cannot be read. */
export interface FailedLoad {
  ok: false;
  /** The message, such as "Error loading deals: …". */
  says: string;
  /** The reference that identifies the log line. */
  requestId: string;
}

/** Codes of statement and lock timeouts, and the client library's message for the same. */
const lateCodes = new Set(['57014', '55P03']);
const isLate = (error: Error) =>
  lateCodes.has(errorCode(error)) || error.message === 'Query read timeout';

/**
 * Returns a screen's content. If reading fails, returns "Error loading …" with a safe cause, so
 * that the screen can offer Retry. The request id identifies the log line.
 */
export async function readOrFail<Content extends object>(
  context: Context,
  /** The noun of the message "Error loading deals". */
  what: string,
  read: () => Promise<Content>,
) {
  try {
    return { ok: true as const, ...(await read()) };
  } catch (error) {
    // Rejections and redirects are not errors.
    if (!(error instanceof Error)) throw error;
    const { id: requestId } = requestFacts(context);
    appServices(context).log.error({ err: error, requestId }, `${what} could not be read`);
    const [status, cause] = describeCause(error);
    const says = `Error loading ${what}: ${cause}`;
    return data<FailedLoad>({ ok: false, says, requestId }, status);
  }
}

function describeCause(error: Error): [status: number, words: string] {
  if (isLate(error)) return [503, 'the database took too long to respond.'];
  if (isDatabaseUnavailable(error)) return [503, 'the database is not available at the moment.'];
  return [500, 'something went wrong on our side.'];
}
