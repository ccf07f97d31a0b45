import { data, type RouterContextProvider } from 'react-router';
import { errorCode } from '#database/error-code.ts';
import { isDatabaseUnavailable } from '#database/is-database-unavailable.ts';
import { appServices, requestFacts } from '#app/platform/app-context.server.ts';

export type Context = Readonly<Pick<RouterContextProvider, 'get'>>;

/** What a loader answers when its screen cannot be read. */
export interface FailedLoad {
  ok: false;
  /** "Error loading deals: …" */
  says: string;
  /** Finds the log line. */
  requestId: string;
}

/** A statement or a lock that was waited for too long, and what the database's client says of the same. */
const lateCodes = new Set(['57014', '55P03']);
const isLate = (error: Error) =>
  lateCodes.has(errorCode(error)) || error.message === 'Query read timeout';

/**
 * What a screen shows. Where it cannot be read, the specification's sentence (section 8) with a cause in words of our
 * own (R23), so that the screen stands with a way to try again; the reference finds the log line, which has the rest.
 */
export async function readOrSay<Content extends object>(
  context: Context,
  /** As in "Error loading deals". */
  what: string,
  read: () => Promise<Content>,
) {
  try {
    return { ok: true as const, ...(await read()) };
  } catch (error) {
    // A refusal, or a way elsewhere.
    if (!(error instanceof Error)) throw error;
    const { id: requestId } = requestFacts(context);
    appServices(context).log.error({ err: error, requestId }, `${what} could not be read`);
    const [status, cause] = describeCause(error);
    const says = `Error loading ${what}: ${cause}`;
    return data<FailedLoad>({ ok: false, says, requestId }, status);
  }
}

function describeCause(error: Error): [status: number, words: string] {
  if (isLate(error)) return [503, 'the database took too long to answer.'];
  if (isDatabaseUnavailable(error)) return [503, 'the database is away for the moment.'];
  return [500, 'something went wrong on our side.'];
}
