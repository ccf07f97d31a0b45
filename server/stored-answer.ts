import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gunzipSync, gzip } from 'node:zlib';
import { acceptedEncoding, type Encoding } from '#server/accepted-encoding.ts';
import type { HeaderList } from '#server/security-headers.ts';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

const mostSentAtOnce = 32 * 1024;

interface Variant {
  /**
   * Small compressed bodies are kept as text of one byte a letter: node:http sends such in one write with the head.
   * Null: unpacked from the gzip variant for the few who take nothing compressed, since it is as large as all others
   * together.
   */
  body: Buffer | string | null;
  etag: string;
  /** Complete lists, made once: an answer from memory makes none. */
  headers: string[];
  headersOfNotModified: string[];
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
  headers: HeaderList;
  brotliQuality: number;
}): Promise<StoredAnswer> {
  const { body, type } = options;
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  const variant = (encoded: Buffer, encoding: Encoding): Variant => {
    const etag = `"${hash}-${encoding}"`;
    const isSmall = encoded.length <= mostSentAtOnce;
    const common = [...options.headers, 'etag', etag];
    const own = ['content-type', type, 'content-length', String(encoded.length)];
    if (encoding !== 'identity') own.push('content-encoding', encoding);
    return {
      body: isSmall && encoding !== 'identity' ? encoded.toString('latin1') : encoded,
      etag,
      headers: [...common, ...own],
      headersOfNotModified: common,
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

/**
 * The same page, said to be too old, for when nothing newer can be had: by `Cache-Status` (RFC 9211, where a negative
 * `ttl` is the seconds since it went stale), and for nobody to keep.
 */
export function asStandIn(answer: StoredAnswer, secondsTooOld: number): StoredAnswer {
  const status = `deal-hub; hit; ttl=${-secondsTooOld}; detail=stand-in`;
  const markAll = (headers: HeaderList): string[] => {
    const marked = [...headers, 'cache-status', status];
    marked[marked.indexOf('cache-control') + 1] = 'private, no-store';
    return marked;
  };
  const mark = (variant: Variant): Variant => ({
    ...variant,
    headers: markAll(variant.headers),
    headersOfNotModified: markAll(variant.headersOfNotModified),
  });
  const { identity, br, gzip: gz } = answer.variants;
  const compressed = { ...(br && { br: mark(br) }), ...(gz && { gzip: mark(gz) }) };
  return { ...answer, variants: { identity: mark(identity), ...compressed } };
}

export function sendStoredAnswer(
  answer: StoredAnswer,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const variant =
    answer.variants[acceptedEncoding(request.headers['accept-encoding'])] ??
    answer.variants.identity;
  if (answer.status === 200 && isKnown(request.headers['if-none-match'], variant.etag)) {
    response.writeHead(304, variant.headersOfNotModified).end();
    return;
  }
  response.writeHead(answer.status, variant.headers);
  if (request.method === 'HEAD') response.end();
  else response.end(variant.body ?? unpacked(answer.variants.gzip), 'latin1');
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
