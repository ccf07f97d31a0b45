import { SafeFetchError, safePost } from '#app/platform/safe-fetch.server.ts';

export type PostPush = typeof postPush;
export type PushAnswer = Awaited<ReturnType<PostPush>>;

/** Throws when there was no answer. A browser named the endpoint: it is reached as any typed address (R29), by https. */
export async function postPush(
  endpoint: string,
  { headers, body }: { headers: Record<string, string>; body: Buffer },
  signal?: AbortSignal,
) {
  if (!endpoint.startsWith('https://'))
    throw new SafeFetchError('only push services with https are asked');
  const limits = { maxBytes: 16 * 1024, timeoutMs: 10_000 };
  return safePost(endpoint, body, { ...limits, headers, signal });
}
