import { isIP, type LookupFunction } from 'node:net';
import { finished, Readable, type Transform } from 'node:stream';
import { callbackify } from 'node:util';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { Agent, request } from 'undici';
import { errorCode } from '#database/error-code.ts';
import {
  type AddressRules,
  isPublicAddress,
  notFound,
  notPublic,
  resolvePublic,
} from './public-address.server.ts';
import { isBomb, largestRatio } from './is-bomb.ts';
import { SafeFetchError } from './safe-fetch-error.ts';

export { SafeFetchError } from './safe-fetch-error.ts';

export interface SafeFetchOptions extends AddressRules {
  /**
   * The only allowed hosts, if given, such as `files.internal` or, with a port, `10.0.0.7:8080`.
   */
  allowHosts?: readonly string[];
  /** The limit of the decompressed response, in bytes. */
  maxBytes: number;
  /** The limit of the compressed response in bytes, `maxBytes` by default. */
  maxRawBytes?: number;
  /** The time limit of the whole request: connecting, redirects and the body. */
  timeoutMs: number;
  /** Whether `timeoutMs` limits each pause instead, so that a large body may take longer. */
  limitsPauses?: boolean;
  signal?: AbortSignal;
  headers?: Record<string, string>;
  /** The body of a POST. A POST follows no redirects. */
  body?: string;
  /** Whether 304 with an empty body is accepted, for conditional requests. */
  allowNotModified?: boolean;
}

const mostRedirects = 3;

/**
 * Fetches a URL that a person typed, by GET, or by POST with a body. Allows only http(s) on its
 * usual port, and only public addresses. The connection uses the address that was checked, so a
 * second DNS response cannot differ. Redirects are checked like the first address. Any status other
 * than 200 is an error.
 */
export async function safeFetch(address: string, options: SafeFetchOptions) {
  const headers = { 'accept-encoding': 'gzip, br', ...options.headers };
  const asking = prepare({ ...options, headers });
  try {
    const answer = await readAnswer(await follow(address, 'GET', asking), asking);
    finished(answer.body, () => void asking.dispatcher.destroy());
    return answer;
  } catch (error) {
    await asking.dispatcher.destroy();
    throw explain(error, asking);
  }
}

/**
 * Posts under the same rules as `safeFetch`, but without redirects, so that only the named receiver
 * gets it. Returns any status, and the requested pause. The body of the response is read up to
 * `maxBytes` and discarded.
 */
export async function safePost(
  address: string,
  body: string | Buffer,
  options: SafeFetchOptions,
): Promise<{ status: number; retryAfterSeconds: number | null }> {
  const asking = prepare(options);
  try {
    const sent = await send(checkTarget(address, options), 'POST', asking, body);
    await sent.body.dump({ limit: options.maxBytes, signal: asking.signal });
    const wait = Number(single(sent.headers['retry-after']));
    return { status: sent.statusCode, retryAfterSeconds: wait > 0 ? wait : null };
  } catch (error) {
    throw explain(error, asking);
  } finally {
    await asking.dispatcher.destroy();
  }
}

/**
 * Sends a request to an API under the same rules as `safePost`. Returns any status with the body of
 * the response as text, which must not be larger than `maxBytes`.
 */
export async function safeSend(
  address: string,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  body: string | Buffer | null,
  options: SafeFetchOptions,
) {
  const asking = prepare(options);
  try {
    const sent = await send(checkTarget(address, options), method, asking, body);
    const parts: Buffer[] = [];
    const bytes = decompressed(sent.body, undefined, { ...options, maxRawBytes: options.maxBytes });
    for await (const part of bytes) parts.push(part);
    const text = Buffer.concat(parts).toString();
    return { status: sent.statusCode, headers: sent.headers, text };
  } catch (error) {
    throw explain(error, asking);
  } finally {
    await asking.dispatcher.destroy();
  }
}

/**
 * Sends HEAD or GET under the same rules as `safeFetch`. Returns the status after all redirects,
 * whatever it is. No body is read.
 */
export async function safeStatus(
  address: string,
  method: 'HEAD' | 'GET',
  options: Omit<SafeFetchOptions, 'maxBytes' | 'maxRawBytes' | 'body'>,
): Promise<number> {
  const asking = prepare({ ...options, maxBytes: 0 });
  try {
    const { answer } = await follow(address, method, asking);
    drop(answer.body);
    return answer.statusCode;
  } catch (error) {
    throw explain(error, asking);
  } finally {
    await asking.dispatcher.destroy();
  }
}

function prepare(options: SafeFetchOptions) {
  const timeout = options.limitsPauses
    ? new AbortController().signal
    : AbortSignal.timeout(options.timeoutMs);
  const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout;
  const dispatcher = new Agent({
    connect: { lookup: checkedLookup(options), timeout: Math.min(options.timeoutMs, 10_000) },
    headersTimeout: options.timeoutMs,
    bodyTimeout: options.timeoutMs,
    maxHeaderSize: 16 * 1024,
  });
  return { options, timeout, signal, dispatcher };
}

type Asking = ReturnType<typeof prepare>;

function send(
  url: URL,
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  { options, dispatcher, signal }: Asking,
  body?: string | Buffer | null,
) {
  const headers = { 'user-agent': 'DealHub', ...options.headers };
  return request(url, { method, dispatcher, signal, headers, body });
}

/** Returns the last response of a chain of redirects, its body unread. */
async function follow(address: string, method: 'GET' | 'HEAD', first: Asking) {
  const { options } = first;
  let asking = first;
  let url = checkTarget(address, options);
  for (let hops = 0; ; hops++) {
    const isPost = options.body !== undefined;
    const answer = await send(url, isPost ? 'POST' : method, asking, options.body);
    const location = single(answer.headers.location);
    if (answer.statusCode < 300 || answer.statusCode >= 400 || !location) return { url, answer };
    drop(answer.body);
    if (isPost) throw new SafeFetchError(`${url.host} redirects elsewhere`);
    if (hops === mostRedirects) throw new SafeFetchError(`more than ${mostRedirects} redirects`);
    const next = checkTarget(URL.parse(location, url)?.href ?? location, options);
    if (next.origin !== url.origin) asking = withoutSignIn(asking);
    url = next;
  }
}

/** Another host must not receive a password or token. */
function withoutSignIn(asking: Asking): Asking {
  const sent = Object.entries(asking.options.headers ?? {});
  const headers = sent.filter(([name]) => name.toLowerCase() !== 'authorization');
  return { ...asking, options: { ...asking.options, headers: Object.fromEntries(headers) } };
}

/**
 * Reads a response. `etag` and `lastModified` are for the next request to the same URL. `length` is
 * the declared size of the body, if any.
 */
async function readAnswer(
  { url, answer }: Awaited<ReturnType<typeof follow>>,
  { options }: Asking,
) {
  const { statusCode: status, headers, body } = answer;
  const told = {
    url: url.href,
    status,
    etag: single(headers.etag)?.slice(0, 500) ?? null,
    lastModified: single(headers['last-modified'])?.slice(0, 100) ?? null,
  };
  if (status === 304 && options.allowNotModified) {
    return { ...told, contentType: '', length: null, body };
  }
  const length = Number(single(headers['content-length']));
  const maxRawBytes = options.maxRawBytes ?? options.maxBytes;
  if (status !== 200 || length > maxRawBytes) {
    drop(body);
    if (status === 200) throw tooLarge(maxRawBytes);
    const kind = status === 429 || status === 503 ? 'busy' : null;
    throw new SafeFetchError(`${url.host} responded with status ${status}`, { kind });
  }
  const encoding = single(headers['content-encoding']);
  const bytes = decompressed(body, encoding, { ...options, maxRawBytes });
  return {
    ...told,
    contentType: single(headers['content-type']) ?? '',
    length: length > 0 ? length : null,
    body: Readable.from(bytes, { objectMode: false }),
  };
}

function drop(body: Readable): void {
  body.on('error', () => {});
  body.destroy();
}

/**
 * Checks everything that is known about an address before the DNS lookup. The URL parser has
 * normalized `0x7f.1` and the like.
 */
function checkTarget(address: string, options: SafeFetchOptions): URL {
  const url = URL.parse(address);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new SafeFetchError('only http and https addresses are fetched');
  }
  if (url.username !== '' || url.password !== '') {
    throw new SafeFetchError('addresses with a user name or password are not allowed');
  }
  const host = url.hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  if (options.allowHosts?.some((allowed) => allowed === host || allowed === url.host) === false) {
    const port = url.port === '' ? '' : `:${url.port}`;
    throw new SafeFetchError(`${host}${port} is not an allowed host`);
  }
  if (options.allowPrivate) return url;
  if (url.port !== '' && url.port !== '80' && url.port !== '443') {
    throw new SafeFetchError(`port ${url.port} is not allowed, only 80 and 443`);
  }
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw new SafeFetchError(notPublic(host));
  return url;
}

/** Returns Node's own lookup with every address checked. The connection uses the result. */
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

async function* decompressed(
  body: Readable,
  encoding: string | undefined,
  limits: { maxBytes: number; maxRawBytes: number },
): AsyncGenerator<Buffer> {
  let raw = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of body) {
      raw += chunk.length;
      if (raw > limits.maxRawBytes) throw tooLarge(limits.maxRawBytes);
      yield chunk;
    }
  }
  const unzip = decompressor(encoding);
  let bytes = 0;
  try {
    for await (const chunk of unzip ? through(counted(), unzip) : counted()) {
      bytes += chunk.length;
      if (bytes > limits.maxBytes) throw tooLarge(limits.maxBytes);
      if (unzip && isBomb(bytes, raw)) {
        throw new SafeFetchError(
          `the response unpacks to more than ${largestRatio} times its size, as an attack would`,
        );
      }
      yield chunk;
    }
  } catch (error) {
    if (error instanceof SafeFetchError) throw error;
    const words = 'the connection was lost in the middle of the response';
    throw new SafeFetchError(words, { cause: error });
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

function decompressor(encoding = ''): Transform | null {
  const name = encoding.trim().toLowerCase();
  if (name === '' || name === 'identity') return null;
  if (name === 'gzip' || name === 'x-gzip') return createGunzip();
  if (name === 'br') return createBrotliDecompress();
  if (name === 'deflate') return createInflate();
  throw new SafeFetchError('the response has an unknown compression');
}

function explain(error: unknown, { options, timeout }: Asking): unknown {
  if (error instanceof SafeFetchError) return error;
  if (error instanceof Error && error.cause instanceof SafeFetchError) return error.cause;
  let words = 'the address cannot be reached';
  if (timeout.aborted || isPauseTimeout(error))
    words = `no response within ${Math.round(options.timeoutMs / 1_000)} s`;
  else if (options.signal?.aborted) words = 'stopped';
  const kind = options.signal?.aborted ? null : 'silent';
  return new SafeFetchError(words, { cause: error, kind });
}

function isPauseTimeout(error: unknown): boolean {
  return /^UND_ERR_(?:HEADERS|BODY)_TIMEOUT$/.test(errorCode(error));
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

function tooLarge(bytes: number): SafeFetchError {
  const most = bytes >= 1024 * 1024 ? `${Math.round(bytes / 1024 / 1024)} MB` : `${bytes} bytes`;
  return new SafeFetchError(`the response is larger than ${most}`, { kind: 'too large' });
}
