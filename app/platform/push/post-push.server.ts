import { SafeFetchError, safePost } from '#app/platform/safe-fetch.server.ts';

export type PostPush = typeof postPush;
export type PushAnswer = Awaited<ReturnType<PostPush>>;

/**
 * Posts a message to a push service. Throws if no response arrived. The endpoint comes from a
 * browser, so it is treated like any typed URL, and only https is allowed.
 */
export async function postPush(
  endpoint: string,
  { headers, body }: { headers: Record<string, string>; body: Buffer },
  signal?: AbortSignal,
) {
  if (!endpoint.startsWith('https://'))
    throw new SafeFetchError('only push services with https are supported');
  const limits = { maxBytes: 16 * 1024, timeoutMs: 10_000 };
  return safePost(endpoint, body, { ...limits, headers, signal });
}
