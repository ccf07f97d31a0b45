import { setTimeout as sleep } from 'node:timers/promises';
import type { SiteSettings } from '#app/features/site-settings/site-settings.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import {
  SafeFetchError,
  type SafeFetchOptions,
  safePost,
} from '#app/platform/safe-fetch.server.ts';
import { type DiscoveryService, indexNowKeyPath } from './discovery-services.ts';
import { indexNowKey } from './index-now-key.server.ts';

/** Fetch options, which let tests reach their own server. */
export type DiscoveryFetch = Pick<SafeFetchOptions, 'allowPrivate' | 'resolve'>;

export type Notified =
  | { state: 'sent' }
  /** The service is off. */
  | { state: 'off' }
  | { state: 'later'; words: string; afterSeconds: number | null }
  /** The service refused for a reason that no retry can change. */
  | { state: 'stopped'; words: string };

/** ms; four feeds, one after another, stay within the lease */
const timeoutMs = 10_000;
const mostBytes = 64 * 1024;

/** Error messages by status, from IndexNow's documentation. */
const refusals: Readonly<Record<number, string>> = {
  400: 'it could not read the request (400)',
  403: `it could not confirm the key (403). Check that ${indexNowKeyPath} can be opened from the internet`,
  422: 'the addresses do not belong to the key or the host (422). Check ORIGIN',
};

/** Sends paths of this site to one service, which is configured in the settings. */
export async function notifyService(
  { db, env }: Pick<AppServices, 'db' | 'env'>,
  settings: SiteSettings,
  service: DiscoveryService,
  paths: readonly string[],
  { signal, ...allowed }: DiscoveryFetch & { signal?: AbortSignal | undefined },
): Promise<Notified> {
  const options = { ...allowed, timeoutMs, maxBytes: mostBytes, ...(signal && { signal }) };
  const urls = paths.map((path) => new URL(path, env.origin).href);
  try {
    return service === 'indexnow'
      ? await tellIndexNow(settings, await indexNowKey(db), urls, env.origin, options)
      : await tellHub(settings, urls, options);
  } catch (error) {
    if (error instanceof SafeFetchError) {
      return { state: 'later', words: error.message, afterSeconds: null };
    }
    throw error;
  }
}

async function tellIndexNow(
  { indexNow, indexNowEndpoint }: SiteSettings,
  key: string,
  urlList: readonly string[],
  origin: string,
  options: SafeFetchOptions,
): Promise<Notified> {
  if (!indexNow) return { state: 'off' };
  const { host } = new URL(origin);
  const body = JSON.stringify({ host, key, keyLocation: origin + indexNowKeyPath, urlList });
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  return judge(await safePost(indexNowEndpoint, body, { ...options, headers }), refusals);
}

/** Publishes each feed in a separate request, since not every hub accepts several. */
async function tellHub(
  { webSubHub }: SiteSettings,
  urls: readonly string[],
  options: SafeFetchOptions,
): Promise<Notified> {
  if (webSubHub === '') return { state: 'off' };
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  for (const [index, url] of urls.entries()) {
    if (index > 0) await sleep(100);
    const body = new URLSearchParams({ 'hub.mode': 'publish', 'hub.url': url }).toString();
    const notified = judge(await safePost(webSubHub, body, { ...options, headers }), {});
    if (notified.state !== 'sent') return notified;
  }
  return { state: 'sent' };
}

function judge(
  { status, retryAfterSeconds }: Awaited<ReturnType<typeof safePost>>,
  meanings: Readonly<Record<number, string>>,
): Notified {
  if (status >= 200 && status < 300) return { state: 'sent' };
  const words = meanings[status] ?? `it responded with status ${status}`;
  if (status === 429) {
    const wait =
      retryAfterSeconds === null ? '' : `, for ${countNoun(retryAfterSeconds, 'second')}`;
    return {
      state: 'later',
      words: `it asked for fewer requests (429)${wait}`,
      afterSeconds: retryAfterSeconds,
    };
  }
  const isFinal = status >= 400 && status < 500 && status !== 408;
  return isFinal
    ? { state: 'stopped', words }
    : { state: 'later', words, afterSeconds: retryAfterSeconds };
}
