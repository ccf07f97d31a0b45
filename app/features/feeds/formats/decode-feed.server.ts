import { isAscii } from 'node:buffer';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import iconv from 'iconv-lite';
import { isBomb, largestRatio } from '#app/platform/is-bomb.ts';
import { errorCode } from '#database/error-code.ts';
import { detectEncoding } from './detect-encoding.ts';
import type { FeedEncoding } from './feed-encodings.ts';
import { FeedError } from './feed-error.ts';

export interface FeedSizeLimits {
  rawBytes: number;
  unpackedBytes: number;
}

/** Throws if a small file decompresses to gigabytes. */
export function refuseBomb(unpacked: number, packed: number): void {
  if (!isBomb(unpacked, packed)) return;
  throw new FeedError(
    `the feed unpacks to more than ${largestRatio} times its size, as an attack would`,
  );
}

/** Decompresses gzipped bytes, which are detected by their first bytes, not by a file name. */
export async function* unpackFeed(
  source: AsyncIterable<Uint8Array>,
  limits: FeedSizeLimits,
): AsyncGenerator<Buffer> {
  let raw = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      raw += chunk.byteLength;
      if (raw > limits.rawBytes)
        throw new FeedError(`the feed is larger than ${megabytes(limits.rawBytes)}`);
      yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    }
  }
  const { first, whole } = await peek(counted(), 4);
  const head = Buffer.concat(first);
  if (head.length >= 4 && head.readUInt32BE(0) === 0x504b0304) {
    throw new FeedError('this is a ZIP archive: unpack it and import the file inside');
  }
  const isPacked = head.length >= 2 && head[0] === 0x1f && head[1] === 0x8b;
  let unpacked = 0;
  for await (const chunk of isPacked ? gunzip(whole) : whole) {
    unpacked += chunk.length;
    if (unpacked > limits.unpackedBytes) {
      throw new FeedError(
        `the feed is larger than ${megabytes(limits.unpackedBytes)}${isPacked ? ' unpacked' : ''}`,
      );
    }
    if (isPacked) refuseBomb(unpacked, raw);
    yield chunk;
  }
}

async function* gunzip(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* pipeline(source, createGunzip(), () => {});
  } catch (error) {
    const code = errorCode(error);
    if (!code.startsWith('Z_')) throw error;
    const what = code === 'Z_BUF_ERROR' ? 'cut off' : 'damaged';
    throw new FeedError(`the compressed feed is ${what}`, { cause: error });
  }
}

/** A feed as text. The encoding may be unknown until the first non-ASCII character. */
export interface DecodedFeed {
  encoding: string;
  text: AsyncGenerator<string>;
  /** A note on how the encoding was guessed, or `null` if it is certain. */
  doubt: string | null;
  /** Whether some bytes were not valid characters. */
  hasReplacements: boolean;
}

/**
 * Decodes a feed by its byte-order mark, else as chosen, else by its XML declaration, else as
 * UTF-8. If the feed is not valid UTF-8, the encoding is guessed from its letters.
 */
export async function decodeFeed(
  source: AsyncGenerator<Buffer>,
  chosen: FeedEncoding = 'auto',
): Promise<DecodedFeed> {
  const { first, whole } = await peek(source, 1024);
  const head = Buffer.concat(first);
  const marked = encodingByMark(head);
  const declared = encodingByDeclaration(head);
  const named = marked ?? (chosen === 'auto' ? declared : chosen);
  if (named !== null && !iconv.encodingExists(named)) {
    throw new FeedError(`the feed declares "${String(named)}", which is not a known encoding`);
  }
  const isSure = marked !== null || chosen !== 'auto' || (named !== null && !hasAscii(named));
  const found: Found = { encoding: named ?? 'utf-8', doubt: null, hasReplacements: false };
  const text = isSure ? decodeAs(found.encoding, whole) : decodeByContent(whole, found, named);
  return Object.assign(found, { text: withoutMarks(text, found) });
}

type Found = Omit<DecodedFeed, 'text'>;

/** Removes byte-order marks. Tools that concatenate files may leave several at the start. */
async function* withoutMarks(text: AsyncIterable<string>, found: Found): AsyncGenerator<string> {
  let isStart = true;
  for await (const chunk of text) {
    const read = isStart ? chunk.replace(/^\uFEFF+/, '') : chunk;
    if (read === '') continue;
    isStart = false;
    found.hasReplacements ||= read.includes('\uFFFD');
    yield read;
  }
}

function encodingByMark(head: Buffer): string | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return 'utf-8';
  // UTF-16 without a byte-order mark is detected by zeros in every other byte, since most
  // characters at the start are ASCII.
  const pairs = Math.floor(Math.min(head.length, 1_024) / 2);
  let [even, odd] = [0, 0];
  for (let at = 0; at < pairs * 2; at += 2) {
    if (head[at] === 0) even++;
    if (head[at + 1] === 0) odd++;
  }
  if (odd * 4 > pairs && even * 20 < pairs) return 'utf-16le';
  if (even * 4 > pairs && odd * 20 < pairs) return 'utf-16be';
  return null;
}

function encodingByDeclaration(head: Buffer): string | null {
  const declared = /^\s*<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]{1,40})["']/i
    .exec(head.toString('latin1'))?.[1]
    ?.toLowerCase();
  if (declared === undefined || declared === 'utf-8' || declared === 'utf8') return null;
  // UTF-16 was ruled out above, so a declaration of it is left over from a conversion.
  if (declared.startsWith('utf-16') || declared === 'us-ascii') return null;
  return declared === 'iso-8859-1' ? 'windows-1252' : declared;
}

/** Whether ASCII characters have the same bytes in this encoding. */
function hasAscii(encoding: string): boolean {
  const ascii = '<?xml id,title;1';
  return iconv.decode(Buffer.from(ascii), encoding) === ascii;
}

async function* decodeAs(encoding: string, source: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = iconv.getDecoder(encoding, { stripBOM: true });
  for await (const chunk of source) yield decoder.write(chunk);
  yield decoder.end() ?? '';
}

/**
 * The number of bytes, from the first non-ASCII one, that decide the encoding. Network chunks make
 * no difference.
 */
const tellingBytes = 65_536;

async function* decodeByContent(
  source: AsyncIterable<Buffer>,
  found: Found,
  declared: string | null,
): AsyncGenerator<string> {
  let decoder: iconv.DecoderStream | null = null;
  let held: Buffer[] = [];
  let length = 0;
  const decide = (isEnd: boolean): [iconv.DecoderStream, Buffer] => {
    const bytes = Buffer.concat(held);
    held = [];
    Object.assign(found, judge(bytes.subarray(0, tellingBytes), declared, isEnd));
    return [iconv.getDecoder(found.encoding), bytes];
  };
  for await (const chunk of source) {
    if (decoder) {
      yield decoder.write(chunk);
      continue;
    }
    let rest = chunk;
    if (length === 0) {
      const first = isAscii(chunk) ? chunk.length : chunk.findIndex((byte) => byte > 0x7f);
      if (first > 0) yield chunk.toString('latin1', 0, first);
      rest = chunk.subarray(first);
    }
    if (rest.length === 0) continue;
    held.push(rest);
    length += rest.length;
    if (length < tellingBytes) continue;
    const [decided, bytes] = decide(false);
    decoder = decided;
    yield decoder.write(bytes);
  }
  if (decoder === null && length > 0) {
    const [decided, bytes] = decide(true);
    decoder = decided;
    yield decoder.write(bytes);
  }
  yield decoder?.end() ?? '';
}

/**
 * Decides by the first non-ASCII bytes. A few invalid bytes do not rule out UTF-8, since valid
 * UTF-8 sequences are rare in other encodings.
 */
function judge(
  sample: Buffer,
  declared: string | null,
  isEnd: boolean,
): Pick<DecodedFeed, 'encoding' | 'doubt'> {
  const text = new TextDecoder().decode(sample, { stream: !isEnd });
  const written = sample.toString('latin1').split('\xEF\xBF\xBD').length - 1;
  const wrong = text.split('\uFFFD').length - 1 - written;
  const right = text.match(/[\u0080-\uFFFC\u{10000}-\u{10FFFF}]/gu)?.length ?? 0;
  if (declared !== null) {
    const isUtf8 = wrong === 0 && right > 1;
    if (!isUtf8) return { encoding: declared, doubt: null };
    return {
      encoding: 'utf-8',
      doubt: `the feed declares ${declared}, but its characters are UTF-8`,
    };
  }
  if (wrong === 0 || (right > 0 && right >= wrong)) return { encoding: 'utf-8', doubt: null };
  const encoding = detectEncoding(sample);
  const doubt = `the feed is not UTF-8; its characters look like ${encoding}. If they are wrong, choose the encoding of this feed`;
  return { encoding, doubt };
}

/**
 * Returns the first chunks, with at least this many bytes or characters, and the whole stream from
 * the start.
 */
export async function peek<Chunk extends { length: number }>(
  source: AsyncGenerator<Chunk>,
  least: number,
): Promise<{ first: Chunk[]; whole: AsyncGenerator<Chunk> }> {
  const first: Chunk[] = [];
  for (let length = 0; length < least;) {
    const next = await source.next();
    if (next.done) break;
    first.push(next.value);
    length += next.value.length;
  }
  async function* whole(): AsyncGenerator<Chunk> {
    try {
      yield* first;
      yield* source;
    } finally {
      await source.return(undefined);
    }
  }
  return { first, whole: whole() };
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MB`;
}
