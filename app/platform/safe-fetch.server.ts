import { lookup as lookupName } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { finished, Readable, type Transform } from 'node:stream';
import { callbackify } from 'node:util';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import ipaddr from 'ipaddr.js';
import { Agent, request } from 'undici';

/** Why an address was not fetched; the message is a sentence for the person who entered it. */
export class SafeFetchError extends Error {
  override name = 'SafeFetchError';
}

export interface ResolvedAddress {
  address: string;
  family: number;
}

export interface SafeFetchOptions {
  /** Only these hosts, when given. */
  allowHosts?: readonly string[];
  /** Bytes of the answer once it is decompressed. */
  maxBytes: number;
  /** Bytes on the wire; the same as `maxBytes` unless given. */
  maxRawBytes?: number;
  /** For the whole of it: connecting, redirects, the body. */
  timeoutMs: number;
  /** For tests, development and an operator's own network: private addresses and any port. */
  allowPrivate?: boolean;
  signal?: AbortSignal;
  headers?: Record<string, string>;
  /** Sent by POST, which follows no redirect. */
  body?: string;
  /** 304 is an answer too, with an empty body: for requests that name what they have. */
  allowNotModified?: boolean;
  /** In place of the system's DNS. */
  resolve?: (host: string) => Promise<ResolvedAddress[]>;
}

export interface SafeAnswer {
  url: string;
  status: number;
  contentType: string;
  /** To be sent with the next request for the same. */
  etag: string | null;
  lastModified: string | null;
  /** What the sender says the body weighs on the wire, or null. */
  length: number | null;
  body: Readable;
}

const mostRedirects = 3;

/**
 * GET (or POST, with a body) for addresses that people type in (R29): http(s) on its usual port, every address the name resolves to must be
 * public, and the connection goes to the addresses that were checked, so a second answer of the DNS cannot differ.
 * Redirects are followed by hand and judged like the first address. Answers of other statuses than 200 are errors.
 */
export async function safeFetch(address: string, options: SafeFetchOptions): Promise<SafeAnswer> {
  const { timeout, signal, dispatcher } = prepare(options);
  try {
    const answer = await follow(address, options, dispatcher, signal);
    finished(answer.body, () => void dispatcher.destroy());
    return answer;
  } catch (error) {
    await dispatcher.destroy();
    throw explain(error, options, timeout);
  }
}

/**
 * POST under the same rules, but that no redirect is followed: whoever gets it is who was named. Answers the status,
 * whatever it is, and the pause that is asked for; what is sent back is read up to `maxBytes` and thrown away.
 */
export async function safePost(
  address: string,
  body: string | Buffer,
  options: SafeFetchOptions,
): Promise<{ status: number; retryAfterSeconds: number | null }> {
  const { timeout, signal, dispatcher } = prepare(options);
  try {
    const url = checkTarget(address, options);
    const headers = { 'user-agent': 'DealHub', ...options.headers };
    const sent = await request(url, { method: 'POST', dispatcher, signal, headers, body });
    await sent.body.dump({ limit: options.maxBytes, signal });
    const wait = Number(single(sent.headers['retry-after']));
    return { status: sent.statusCode, retryAfterSeconds: wait > 0 ? wait : null };
  } catch (error) {
    throw explain(error, options, timeout);
  } finally {
    await dispatcher.destroy();
  }
}

/**
 * HEAD or GET under the same rules: the status of the last address in the chain, whatever it is. Nothing of what is
 * sent back is read.
 */
export async function safeStatus(
  address: string,
  method: 'HEAD' | 'GET',
  options: Omit<SafeFetchOptions, 'maxBytes' | 'maxRawBytes' | 'body'>,
): Promise<number> {
  const limits = { ...options, maxBytes: 0 };
  const { timeout, signal, dispatcher } = prepare(limits);
  try {
    let url = checkTarget(address, limits);
    for (let hops = 0; ; hops++) {
      const headers = { 'user-agent': 'DealHub', ...options.headers };
      const answer = await request(url, { method, dispatcher, signal, headers });
      answer.body.on('error', () => {});
      answer.body.destroy();
      const next = redirectTarget(url, answer.statusCode, answer.headers.location, hops);
      if (next === null) return answer.statusCode;
      url = checkTarget(next, limits);
    }
  } catch (error) {
    throw explain(error, limits, timeout);
  } finally {
    await dispatcher.destroy();
  }
}

/** Where an answer sends on to, or null when it is the last one. */
function redirectTarget(
  url: URL,
  status: number,
  header: string | string[] | undefined,
  hops: number,
): string | null {
  const location = single(header);
  if (status < 300 || status >= 400 || !location) return null;
  if (hops === mostRedirects) throw new SafeFetchError(`more than ${mostRedirects} redirects`);
  return URL.parse(location, url)?.href ?? location;
}

function prepare(options: SafeFetchOptions) {
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout;
  const dispatcher = new Agent({
    connect: { lookup: checkedLookup(options), timeout: Math.min(options.timeoutMs, 10_000) },
    headersTimeout: options.timeoutMs,
    bodyTimeout: options.timeoutMs,
    maxHeaderSize: 16 * 1024,
  });
  return { timeout, signal, dispatcher };
}

async function follow(
  address: string,
  options: SafeFetchOptions,
  dispatcher: Agent,
  signal: AbortSignal,
): Promise<SafeAnswer> {
  let url = checkTarget(address, options);
  for (let hops = 0; ; hops++) {
    const { statusCode, headers, body } = await request(url, {
      dispatcher,
      signal,
      ...(options.body !== undefined && { method: 'POST', body: options.body }),
      headers: { 'user-agent': 'DealHub', 'accept-encoding': 'gzip, br', ...options.headers },
    });
    if (statusCode >= 300 && statusCode < 400 && single(headers.location)) {
      body.on('error', () => {});
      body.destroy();
      if (options.body !== undefined) throw new SafeFetchError(`${url.host} sends on elsewhere`);
    }
    const next = redirectTarget(url, statusCode, headers.location, hops);
    if (next !== null) {
      url = checkTarget(next, options);
      continue;
    }
    const marks = {
      etag: single(headers.etag)?.slice(0, 500) ?? null,
      lastModified: single(headers['last-modified'])?.slice(0, 100) ?? null,
    };
    if (statusCode === 304 && options.allowNotModified) {
      const answer = { url: url.href, status: 304, contentType: '', length: null };
      return { ...answer, ...marks, body };
    }
    if (statusCode !== 200) {
      body.on('error', () => {});
      body.destroy();
      throw new SafeFetchError(`${url.host} answered with status ${statusCode}`);
    }
    const length = Number(single(headers['content-length']));
    const maxRawBytes = options.maxRawBytes ?? options.maxBytes;
    if (length > maxRawBytes) {
      body.on('error', () => {});
      body.destroy();
      throw new SafeFetchError(tooLarge(maxRawBytes));
    }
    return {
      url: url.href,
      status: statusCode,
      contentType: single(headers['content-type']) ?? '',
      ...marks,
      length: length > 0 ? length : null,
      body: Readable.from(
        decompressed(body, single(headers['content-encoding']), { ...options, maxRawBytes }),
        { objectMode: false },
      ),
    };
  }
}

/** What can be known of an address before the DNS is asked. The URL parser has made `0x7f.1` and the like plain. */
function checkTarget(address: string, options: SafeFetchOptions): URL {
  const url = URL.parse(address);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new SafeFetchError('only http and https addresses are fetched');
  }
  if (url.username !== '' || url.password !== '') {
    throw new SafeFetchError('an address with a user name or password is not fetched');
  }
  const host = url.hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  if (options.allowHosts && !options.allowHosts.includes(host)) {
    throw new SafeFetchError(`${host} is not among the hosts that may be fetched`);
  }
  if (options.allowPrivate) return url;
  if (url.port !== '' && url.port !== '80' && url.port !== '443') {
    throw new SafeFetchError(`port ${url.port} is not fetched, only 80 and 443`);
  }
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw new SafeFetchError(notPublic(host));
  return url;
}

/** True for an address of the public internet; false for everything reserved, v4 hidden in v6 included. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  // `process` unwraps ::ffff:a.b.c.d; the other wrappings (64:ff9b::, 6to4, teredo) are ranges of their own.
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast') return false;
  // Every public IPv6 address is in 2000::/3; outside of it lie old forms that some networks still route.
  return !(address instanceof ipaddr.IPv6) || address.match(ipaddr.IPv6.parse('2000::'), 3);
}

/** Node's own lookup, but every address is judged, and what is answered here is what is connected to. */
function checkedLookup(options: SafeFetchOptions): LookupFunction {
  const lookup = callbackify((host: string) => resolvePublic(host, options));
  return (host, wanted, callback) => {
    lookup(host, (error, addresses) => {
      const first = addresses?.[0];
      if (error || !first) callback(error ?? new SafeFetchError(notFound(host)), '', 0);
      else if (wanted.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

async function resolvePublic(host: string, options: SafeFetchOptions): Promise<ResolvedAddress[]> {
  const resolve = options.resolve ?? ((name: string) => lookupName(name, { all: true }));
  const addresses = await resolve(host).catch((error: unknown) => {
    throw new SafeFetchError(notFound(host), { cause: error });
  });
  if (!options.allowPrivate && !addresses.every(({ address }) => isPublicAddress(address))) {
    throw new SafeFetchError(notPublic(host));
  }
  return addresses;
}

async function* decompressed(
  body: Readable,
  encoding: string | undefined,
  limits: { maxBytes: number; maxRawBytes: number },
): AsyncGenerator<Buffer> {
  let raw = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of body) {
      raw += chunk.length;
      if (raw > limits.maxRawBytes) throw new SafeFetchError(tooLarge(limits.maxRawBytes));
      yield chunk;
    }
  }
  const unzip = decompressor(encoding);
  let bytes = 0;
  try {
    for await (const chunk of unzip ? through(counted(), unzip) : counted()) {
      bytes += chunk.length;
      if (bytes > limits.maxBytes) throw new SafeFetchError(tooLarge(limits.maxBytes));
      yield chunk;
    }
  } catch (error) {
    if (error instanceof SafeFetchError) throw error;
    throw new SafeFetchError('the connection broke off in the middle of the answer', {
      cause: error,
    });
  } finally {
    body.destroy();
  }
}

async function* through(source: AsyncIterable<Buffer>, unzip: Transform): AsyncGenerator<Buffer> {
  const input = Readable.from(source);
  input.on('error', (error) => unzip.destroy(error));
  try {
    for await (const chunk of input.pipe(unzip)) yield chunk;
  } finally {
    input.destroy();
    unzip.destroy();
  }
}

const decompressors = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['br', createBrotliDecompress],
  ['deflate', createInflate],
]);

function decompressor(encoding: string = ''): Transform | null {
  const name = encoding.trim().toLowerCase();
  if (name === '' || name === 'identity') return null;
  const make = decompressors.get(name);
  if (!make) throw new SafeFetchError('the answer is compressed in an unknown way');
  return make();
}

function explain(error: unknown, options: SafeFetchOptions, timeout: AbortSignal): unknown {
  if (error instanceof SafeFetchError) return error;
  if (error instanceof Error && error.cause instanceof SafeFetchError) return error.cause;
  if (timeout.aborted) {
    return new SafeFetchError(`no answer within ${Math.round(options.timeoutMs / 1_000)} s`, {
      cause: error,
    });
  }
  if (options.signal?.aborted) return new SafeFetchError('stopped', { cause: error });
  return new SafeFetchError('the address cannot be reached', { cause: error });
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

function notPublic(host: string): string {
  return `${host} is not an address of the public internet`;
}

function notFound(host: string): string {
  return `${host} was not found`;
}

function tooLarge(bytes: number): string {
  return `the answer is larger than ${bytes >= 1024 * 1024 ? `${Math.round(bytes / 1024 / 1024)} MB` : `${bytes} bytes`}`;
}
