import { SafeFetchError, safePost } from '#app/platform/safe-fetch.server.ts';

export interface PushAnswer {
  status: number;
  /** How long the service asks us to wait. */
  retryAfterSeconds: number | null;
}

/** Hands one message to a push service. Throws when there was no answer. */
export type PostPush = (
  endpoint: string,
  message: { headers: Record<string, string>; body: Buffer },
  signal?: AbortSignal,
) => Promise<PushAnswer>;

/** An endpoint is an address that a browser named, so it is reached like any address typed in (R29), by https only. */
export const postPush: PostPush = async (endpoint, { headers, body }, signal) => {
  if (!endpoint.startsWith('https://')) {
    throw new SafeFetchError('only push services with https are asked');
  }
  const limits = { maxBytes: 16 * 1024, timeoutMs: 10_000 };
  return safePost(endpoint, body, { ...limits, headers, ...(signal ? { signal } : {}) });
};
