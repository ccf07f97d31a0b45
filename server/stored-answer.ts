import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gunzipSync, gzip } from 'node:zlib';
import { acceptedEncoding, type Encoding } from '#server/accepted-encoding.ts';
import type { HeaderSet } from '#server/security-headers.ts';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

const mostSentAtOnce = 32 * 1024;

interface Variant {
  /**
   * Small compressed bodies are kept as text, one byte a letter: node:http sends those in one write with the head. Null:
   * unpacked from the gzip variant for the few who take nothing compressed, since it would weigh as much as all others.
   */
  body: Buffer | string | null;
  etag: string;
  /** Complete, and made once: an answer from memory makes none. */
  headers: HeaderSet;
  headersOfNotModified: HeaderSet;
}

/** A finished answer in memory, compressed once for all who will ask for it. */
export interface StoredAnswer {
  status: number;
  variants: Partial<Record<Encoding, Variant>> & { identity: Variant };
  bytes: number;
}

export async function storeAnswer(options: {
  status: number;
  body: Buffer;
  type: string;
  headers: HeaderSet;
  brotliQuality: number;
}): Promise<StoredAnswer> {
  const { body, type } = options;
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  const variant = (encoded: Buffer, encoding: Encoding): Variant => {
    const etag = `"${hash}-${encoding}"`;
    const isSmall = encoded.length <= mostSentAtOnce;
    const headersOfNotModified = { ...options.headers, etag };
    return {
      body: isSmall && encoding !== 'identity' ? encoded.toString('latin1') : encoded,
      etag,
      headers: {
        ...headersOfNotModified,
        'content-type': type,
        'content-length': String(encoded.length),
        ...(encoding !== 'identity' && { 'content-encoding': encoding }),
      },
      headersOfNotModified,
    };
  };
  const identity = variant(body, 'identity');
  const answer: StoredAnswer = {
    status: options.status,
    variants: { identity },
    bytes: body.length + 1024,
  };
  if (body.length < 256 || !isText(type)) return answer;
  const [br, gz] = await Promise.all([
    compressBrotli(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: options.brotliQuality,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
        // A window as wide as the body finds all there is; the default takes megabytes for a page.
        [constants.BROTLI_PARAM_LGWIN]: Math.min(
          22,
          Math.max(16, Math.ceil(Math.log2(body.length + 16))),
        ),
      },
    }),
    compressGzip(body, { level: 6 }),
  ]);
  if (br.length < body.length) answer.variants.br = variant(br, 'br');
  answer.bytes += br.length;
  if (gz.length >= body.length) return answer;
  answer.variants.gzip = variant(gz, 'gzip');
  identity.body = null;
  answer.bytes += gz.length - body.length;
  return answer;
}

/** The same page, marked as stale by `Cache-Status` (RFC 9211: a negative `ttl` is since when), for nobody to keep. */
export function asStandIn(answer: StoredAnswer, secondsTooOld: number): StoredAnswer {
  const status = `deal-hub; hit; ttl=${-secondsTooOld}; detail=stand-in`;
  const marks = { 'cache-control': 'private, no-store', 'cache-status': status };
  const mark = (variant: Variant): Variant => ({
    ...variant,
    headers: { ...variant.headers, ...marks },
    headersOfNotModified: { ...variant.headersOfNotModified, ...marks },
  });
  const { identity, br, gzip: gz } = answer.variants;
  const compressed = { ...(br && { br: mark(br) }), ...(gz && { gzip: mark(gz) }) };
  return { ...answer, variants: { identity: mark(identity), ...compressed } };
}

/** Says true: the request is answered. */
export function sendStoredAnswer(
  answer: StoredAnswer,
  request: IncomingMessage,
  response: ServerResponse,
): true {
  const variant =
    answer.variants[acceptedEncoding(request.headers['accept-encoding'])] ??
    answer.variants.identity;
  if (answer.status === 200 && isKnown(request.headers['if-none-match'], variant.etag)) {
    response.writeHead(304, variant.headersOfNotModified).end();
    return true;
  }
  response.writeHead(answer.status, variant.headers);
  if (request.method === 'HEAD') response.end();
  else response.end(variant.body ?? unpacked(answer.variants.gzip), 'latin1');
  return true;
}

function unpacked(packed: Variant | undefined): Buffer {
  const body = packed?.body ?? '';
  return gunzipSync(typeof body === 'string' ? Buffer.from(body, 'latin1') : body);
}

export function isText(type: string): boolean {
  return /^(?:text\/|application\/(?:json|javascript|xml|[a-z.+-]+\+(?:json|xml))|image\/svg)/.test(
    type,
  );
}

/** Whether the asker has what this tag stands for already. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch
    .split(',')
    .some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag);
}
