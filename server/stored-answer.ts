import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import {
  acceptedEncoding,
  type StoredEncoding,
  storedEncodings,
} from '#server/accepted-encoding.ts';
import { compress } from '#server/compress.ts';
import { PreparedHeads } from '#server/prepared-heads.ts';
import type { HeaderSet } from '#server/security-headers.ts';
import { sharedCacheHeaderNames } from '#server/scale-out/scale-out.ts';

const unpackBrotli = promisify(brotliDecompress);

const preparedHeads = new PreparedHeads();
const mostSentAtOnce = 32 * 1024;
/** bytes per response in addition to its bodies, for heads and bookkeeping (`bench -- cache`) */
const bytesOfHeads = 3_000;

interface Variant {
  /**
   * The body. Small compressed bodies are stored as Latin-1 text, because node:http sends them
   * together with the head in one write. null: created from brotli on demand. Gzip is then stored,
   * but plain text never is, because it is ten times as large.
   */
  body: Buffer | string | null;
  etag: string;
  /** The complete headers, created once, so that a response from memory allocates none. */
  headers: HeaderSet;
}

/** A complete response in memory, compressed once for all requests. */
export interface StoredAnswer {
  status: number;
  /** The headers, except those about the body. */
  headers: HeaderSet;
  variants: Partial<Record<StoredEncoding, Variant>> & { identity: Variant };
  bytes: number;
  /** The promise of the gzip body while it is being created, shared by all requests. */
  packing: Promise<void> | null;
}

export async function storeAnswer(options: {
  status: number;
  body: Buffer;
  type: string;
  headers: HeaderSet;
  brotliQuality: number;
}): Promise<StoredAnswer> {
  const { status, body, type, headers } = options;
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  const variant = (encoding: StoredEncoding, of: HeaderSet = {}): Variant => {
    const etag = `"${hash}-${encoding}"`;
    return { body: null, etag, headers: { ...headers, etag, 'content-type': type, ...of } };
  };
  const identity = withBody(variant('identity'), body);
  const variants: StoredAnswer['variants'] = { identity };
  const bytes = body.length + bytesOfHeads;
  const answer: StoredAnswer = { status, headers, variants, bytes, packing: null };
  if (body.length < 256 || !isText(type)) return answer;
  const packed = await compress(body, 'br', options.brotliQuality);
  if (packed.length >= body.length) return answer;
  variants.br = withBody(variant('br', { 'content-encoding': 'br' }), packed);
  variants.gzip = variant('gzip', { 'content-encoding': 'gzip' });
  identity.body = null;
  answer.bytes += packed.length - body.length;
  return answer;
}

function withBody(variant: Variant, body: Buffer): Variant {
  const isPacked = 'content-encoding' in variant.headers;
  variant.body = isPacked && body.length <= mostSentAtOnce ? body.toString('latin1') : body;
  variant.headers = { ...variant.headers, 'content-length': String(body.length) };
  return variant;
}

/**
 * Returns the same page as uncacheable, marked as stale by `Cache-Status` (RFC 9211: a negative
 * `ttl` is the time since it expired).
 */
export function asStale(answer: StoredAnswer, secondsTooOld: number): StoredAnswer {
  const status = `deal-hub; hit; ttl=${-secondsTooOld}; detail=stand-in`;
  const marks = { 'cache-control': 'private, no-store', 'cache-status': status };
  return withHeaders(answer, (headers) => ({ ...forVisitorAlone(headers), ...marks }));
}

/**
 * Returns the same page, but uncacheable for shared caches in front of the site. Returns the same
 * object if it already is.
 */
export function asUncacheable(answer: StoredAnswer): StoredAnswer {
  const isShared = sharedCacheHeaderNames.some((name) => name in answer.headers);
  return isShared ? withHeaders(answer, forVisitorAlone) : answer;
}

function forVisitorAlone(headers: HeaderSet): HeaderSet {
  const names: readonly string[] = sharedCacheHeaderNames;
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}

function withHeaders(answer: StoredAnswer, change: (of: HeaderSet) => HeaderSet): StoredAnswer {
  const mark = <Marked extends { headers: HeaderSet }>(one: Marked): Marked => ({
    ...one,
    headers: change(one.headers),
  });
  const { identity, br, gzip: gz } = answer.variants;
  const compressed = { ...(br && { br: mark(br) }), ...(gz && { gzip: mark(gz) }) };
  return { ...mark(answer), variants: { identity: mark(identity), ...compressed }, packing: null };
}

/** Sends a response, and always returns true. `onGrowth` is called if a gzip body was added. */
export function sendStoredAnswer(
  answer: StoredAnswer,
  request: IncomingMessage,
  response: ServerResponse,
  onGrowth?: () => void,
): true {
  const { variants, status } = answer;
  const variant =
    variants[acceptedEncoding(request.headers['accept-encoding'], storedEncodings)] ??
    variants.identity;
  const isHead = request.method === 'HEAD';
  if (status === 200 && isKnown(request.headers['if-none-match'], variant.etag)) {
    response.writeHead(304, { ...answer.headers, etag: variant.etag }).end();
  } else if (variant.body !== null && !isHead) {
    preparedHeads.write(response, status, variant.headers);
    response.end(variant.body, 'latin1');
  } else if (isHead && 'content-length' in variant.headers) {
    response.writeHead(status, variant.headers).end();
  } else {
    sendMade(answer, request, response, onGrowth).catch(() => response.destroy());
  }
  return true;
}

/** Sends an encoding that is not stored. */
async function sendMade(
  answer: StoredAnswer,
  request: IncomingMessage,
  response: ServerResponse,
  onGrowth?: () => void,
): Promise<void> {
  const { identity, gzip: packed } = answer.variants;
  if (packed && acceptedEncoding(request.headers['accept-encoding'], storedEncodings) === 'gzip') {
    await (answer.packing ??= pack(answer, packed, onGrowth));
    sendStoredAnswer(answer, request, response);
  } else {
    const body = await unpack(answer);
    response.writeHead(answer.status, identity.headers).end(body);
  }
}

/** Creates the gzip body of a response, or null if gzip would be no shorter. */
async function pack(answer: StoredAnswer, packed: Variant, onGrowth?: () => void): Promise<void> {
  const plain = await unpack(answer);
  const body = await compress(plain, 'gzip');
  if (body.length >= plain.length) {
    delete answer.variants.gzip;
    return;
  }
  withBody(packed, body);
  answer.bytes += body.length;
  onGrowth?.();
}

function unpack({ variants: { br } }: StoredAnswer): Promise<Buffer> {
  const body = br?.body ?? '';
  return unpackBrotli(typeof body === 'string' ? Buffer.from(body, 'latin1') : body);
}

export function isText(type: string): boolean {
  return /^(?:text\/|application\/(?:json|javascript|xml|[a-z.+-]+\+(?:json|xml))|image\/svg)/.test(
    type,
  );
}

/** Returns whether the client already has the content of this ETag. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch
    .split(',')
    .some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag);
}
