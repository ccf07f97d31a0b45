import { ownHostRules } from '#app/platform/own-hosts.ts';
import { parseJson } from '#app/platform/parse-json.ts';
import { type SafeFetchOptions, safeSend } from '#app/platform/safe-fetch.server.ts';
import {
  type CallChannel,
  ChannelRefusal,
  type ChannelSettings,
  textOf,
} from './channel-kind.server.ts';

/** Fetch options that let tests reach their own server. */
export type ChannelFetch = Pick<SafeFetchOptions, 'allowPrivate' | 'resolve'> & {
  timeoutMs?: number;
};

const timeoutMs = 10_000;
const mostBytes = 256 * 1024;
/** seconds; a longer pause would outlast the time after which a message is given up */
const mostWait = 8 * 3600;

/**
 * Returns a function that calls a channel's API. Only `privateHosts` may be private. An error has
 * the channel's own message, without the secrets of its settings.
 */
export function callChannel(
  privateHosts: readonly string[],
  settings: ChannelSettings,
  fetch: ChannelFetch,
  signal: AbortSignal,
): CallChannel {
  return async ({ url, method = 'POST', json, raw, headers }) => {
    const type = raw ? raw.type : 'application/json';
    const {
      status,
      headers: answered,
      text,
    } = await safeSend(url, method, raw ? raw.body : json ? JSON.stringify(json) : null, {
      timeoutMs,
      ...ownHostRules({ feedPrivateHosts: privateHosts }, url),
      ...fetch,
      maxBytes: mostBytes,
      signal,
      headers: { ...(raw || json ? { 'content-type': type } : {}), ...headers },
    });
    const answer = parseJson(text);
    if (status >= 200 && status < 300) return answer;
    const words = describeRefusal(status, answer ?? { error: codeIn(text) }, settings);
    throw new ChannelRefusal(status, words, waitOf(answered, answer));
  };
}

/** Returns an error code that is a response's whole text, such as Slack's `no_service`. */
function codeIn(text: string): string | null {
  return /^[a-z_]{1,60}$/.test(text) ? text : null;
}

function describeRefusal(status: number, answer: unknown, settings: ChannelSettings): string {
  const said = ['description', 'message', 'error', 'errorDescription']
    .map((name) => textOf(answer, name))
    .find((text) => text !== null);
  const first = said ?? textOf(answer, 'errors', '0');
  const words = `responded with status ${status}${first ? `: ${first.slice(0, 200)}` : ''}`;
  return Object.values(settings)
    .filter((value) => value.length > 5)
    .reduce((text, value) => text.replaceAll(value, '…'), words);
}

/**
 * Returns the pause that a response asks for in any of the usual forms, in seconds and at most
 * `mostWait`.
 */
function waitOf(headers: Record<string, unknown>, answer: unknown): number | null {
  const seconds = [
    Number(headers['retry-after']),
    Number(textOf(answer, 'parameters', 'retry_after')),
    Number(textOf(answer, 'retry_after')),
    Number(textOf(answer, 'retry_after_ms')) / 1_000,
    untilReset(headers),
  ].filter((wait) => wait > 0);
  return seconds.length > 0 ? Math.min(Math.max(...seconds), mostWait) : null;
}

/**
 * Returns the seconds until a limit is reset: a time (Mastodon), or seconds since 1970 (Bluesky,
 * Pushover).
 */
function untilReset(headers: Record<string, unknown>): number {
  const of = (name: string) =>
    headers[`ratelimit-${name}`] ??
    headers[`x-ratelimit-${name}`] ??
    headers[`x-limit-app-${name}`];
  const reset = of('reset');
  if (typeof reset !== 'string' || Number(of('remaining')) > 0) return 0;
  const at = /^\d{10}$/.test(reset) ? Number(reset) * 1_000 : Date.parse(reset);
  return Number.isNaN(at) ? 0 : (at - Date.now()) / 1_000;
}
