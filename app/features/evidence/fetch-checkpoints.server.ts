import { z } from 'zod';
import { ownHostRules } from '#app/platform/own-hosts.ts';
import { parseJson } from '#app/platform/parse-json.ts';
import {
  SafeFetchError,
  safeFetch,
  type SafeFetchOptions,
} from '#app/platform/safe-fetch.server.ts';
import type { KeyChange } from './signed-statements.ts';
import type { SignedCheckpoint } from './verify-evidence.ts';

export interface FetchedDays {
  checkpoints: SignedCheckpoint[];
  keyChanges: KeyChange[];
}

export type FetchRules = Pick<SafeFetchOptions, 'allowPrivate' | 'allowHosts' | 'signal'>;

/**
 * The limits for all of a site's responses together: 200 pages of 100 days cover half a century.
 */
const mostPages = 200;
const mostDays = 20_000;
const maxBytes = 1024 * 1024;
const timeoutMs = 30_000;

export const hex = (bytes: number) =>
  z
    .string()
    .length(bytes * 2)
    .regex(/^[0-9a-f]*$/);
export const keyChanges = z
  .array(z.object({ text: z.string().max(400), old_signature: hex(64), new_signature: hex(64) }))
  .max(1_000);
export const signedDay = z.object({
  day: z.iso.date(),
  // Checkpoints are printable ASCII; the database cannot store NUL.
  text: z
    .string()
    .max(1_000)
    .regex(/^[ -~\n]*$/),
  signature: hex(64),
});

const checkpointPage = z.object({
  data: z.array(signedDay),
  next_from: z.iso.date().nullable(),
  key_changes: keyChanges.default([]),
});

/** Returns the rules for a site's address: a private host must be in `FEED_PRIVATE_HOSTS`. */
export function rulesFor(
  env: Parameters<typeof ownHostRules>[0],
  address: string,
  signal?: AbortSignal,
): FetchRules {
  return { ...ownHostRules(env, address), ...(signal && { signal }) };
}

/** Fetches a site's checkpoints from a day onward. */
export async function fetchCheckpoints(
  site: string,
  from: string,
  rules: FetchRules,
): Promise<FetchedDays> {
  const checkpoints: SignedCheckpoint[] = [];
  let changes: KeyChange[] = [];
  const path = '/api/v1/evidence';
  for await (const page of fetchPages(checkpointPage, { site, path, query: {}, from, rules })) {
    checkpoints.push(...page.data);
    changes = page.key_changes;
  }
  return { checkpoints, keyChanges: changes };
}

interface Page {
  data: readonly { day: string }[];
  next_from: string | null;
}

/**
 * Fetches a list of days page by page. Days must be in ascending order, so that a hostile list
 * cannot be endless.
 */
export async function* fetchPages<Read extends Page>(
  schema: z.ZodType<Read>,
  {
    site,
    path,
    query,
    from,
    rules,
  }: {
    site: string;
    path: string;
    query: Record<string, string>;
    from: string;
    rules: FetchRules;
  },
): AsyncGenerator<Read> {
  let last = '';
  let days = 0;
  let next: string | null = from;
  for (let pages = 0; next !== null; pages++) {
    const url: URL = new URL(path, site);
    url.search = new URLSearchParams({ ...query, from: next }).toString();
    const page: Read = await fetchPage(schema, url, rules);
    for (const { day } of page.data) {
      if (day <= last || day < next)
        throw new SafeFetchError(`the days of ${url.host} are out of order`);
      last = day;
    }
    days += page.data.length;
    if (page.next_from !== null && (page.next_from <= last || page.next_from <= next))
      throw new SafeFetchError(`the pages of ${url.host} are out of order`);
    if (days > mostDays || pages >= mostPages)
      throw new SafeFetchError(`${url.host} has too many days`);
    yield page;
    next = page.next_from;
  }
}

async function fetchPage<Read>(
  schema: z.ZodType<Read>,
  url: URL,
  rules: FetchRules,
): Promise<Read> {
  const { body } = await safeFetch(url.href, { ...rules, maxBytes, timeoutMs });
  const parts: Buffer[] = [];
  for await (const part of body) parts.push(part as Buffer);
  const read = schema.safeParse(parseJson(Buffer.concat(parts).toString()));
  if (!read.success) throw new SafeFetchError(`${url.host} did not return a list of signed days`);
  return read.data;
}
