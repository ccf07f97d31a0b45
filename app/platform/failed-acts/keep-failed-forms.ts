import { data, isRouteErrorResponse, type MiddlewareFunction } from 'react-router';
import { type FailedAct, isFailedAct, lostAct, typedTexts } from './failed-act.ts';

/** A failure in the browser, with the addresses of the page that shows it. */
interface KeptFailure extends FailedAct {
  paths: readonly string[];
}

let kept: KeptFailure | null = null;
const watchers = new Set<() => void>();

export function readFailedAct(): KeptFailure | null {
  return kept;
}

export function clearFailedAct(): void {
  keep(null);
}

export function watchFailedAct(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

function keep(failure: KeptFailure | null): void {
  if (kept === failure) return;
  kept = failure;
  for (const watcher of watchers) watcher();
}

interface Result {
  type: 'data' | 'error';
  result: unknown;
}

/**
 * Keeps a failed form on its page, as middleware of the client-side router. A form whose response
 * is lost, or comes from an overloaded or restarting site, is kept too.
 */
export const keepFailedForms: MiddlewareFunction<Record<string, Result>> = async (
  { request },
  next,
) => {
  if (request.method === 'GET') return next();
  const copy = request.clone();
  const results = await next();
  let isFailed = false;
  for (const [id, { type, result }] of Object.entries(results)) {
    const failed = type === 'error' ? actWithoutAnswer(result, request) : answeredAct(result);
    if (!failed) continue;
    isFailed = true;
    const typed = await copy.formData().catch(() => null);
    const paths = [location.pathname, new URL(request.url).pathname];
    keep({ ...failed.act, values: typedTexts(typed), paths });
    results[id] = { type: 'data', result: data(undefined, failed.status) };
  }
  if (!isFailed) keep(null);
  return results;
};

/** Returns the failure as the site described it. */
function answeredAct(result: unknown): { act: FailedAct; status: number } | null {
  if (isFailedAct(result)) return { act: result.failedAct, status: 500 };
  const given = result as { data?: unknown; init?: { status?: number } | null } | null;
  const answer = given?.data;
  return isFailedAct(answer) ? { act: answer.failedAct, status: given?.init?.status ?? 500 } : null;
}

/**
 * Returns the failure of a post whose action sent no response. Returns null for a refusal, which
 * has a page of its own, and for a form that the user left.
 */
function actWithoutAnswer(
  error: unknown,
  { signal }: Request,
): { act: FailedAct; status: number } | null {
  if (signal.aborted || error instanceof Response) return null; // A `Response` means a redirect.
  if (isRouteErrorResponse(error) && error.status < 500) return null;
  return { act: lostAct, status: 503 };
}
