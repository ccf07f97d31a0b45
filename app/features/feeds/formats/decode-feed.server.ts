import { isAscii, isUtf8 } from 'node:buffer';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import iconv from 'iconv-lite';
import { errorCode } from '#database/error-code.ts';
import { FeedError } from './feed-error.ts';

export interface FeedSizeLimits {
  rawBytes: number;
  unpackedBytes: number;
}

/**
 * The maximum ratio of unpacked to packed size, since a small file that unpacks into gigabytes is
 * an attack.
 */
const largestRatio = 100;
const ratioMattersFrom = 1024 * 1024;

/** Returns the bytes after an optional gzip, detected by its first bytes, not by a name. */
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
    if (isPacked && unpacked > ratioMattersFrom && unpacked > raw * largestRatio) {
      throw new FeedError(
        `the feed unpacks to more than ${largestRatio} times its size, as an attack would`,
      );
    }
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

/**
 * Decodes a feed: by its byte-order mark, else by its XML declaration, else as UTF-8 with a
 * fallback to windows-1252. The fallback is decided at the first byte beyond ASCII.
 */
export async function decodeFeed(
  source: AsyncGenerator<Buffer>,
): Promise<{ encoding: string; text: AsyncGenerator<string> }> {
  const { first, whole } = await peek(source, 1024);
  const head = Buffer.concat(first);
  const named = encodingByMark(head) ?? encodingByDeclaration(head);
  if (named === null) return { encoding: 'utf-8', text: decodeUtf8OrWindows(whole) };
  if (!iconv.encodingExists(named)) {
    throw new FeedError(
      `the feed says it is written in "${String(named)}", which is not a known encoding`,
    );
  }
  return { encoding: named, text: decodeAs(named, whole) };
}

function encodingByMark(head: Buffer): string | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return 'utf-8';
  // Without a mark, the first character of XML or CSV is ASCII, so a zero byte next to it means
  // UTF-16.
  if (head.length >= 2 && head[0] !== 0 && head[1] === 0) return 'utf-16le';
  if (head.length >= 2 && head[0] === 0 && head[1] !== 0) return 'utf-16be';
  return null;
}

function encodingByDeclaration(head: Buffer): string | null {
  const declared = /^\s*<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]{1,40})["']/i
    .exec(head.toString('latin1'))?.[1]
    ?.toLowerCase();
  if (declared === undefined || declared === 'utf-8' || declared === 'utf8') return null;
  // The file was read byte by byte so far, so a declaration of UTF-16 is left over from a
  // conversion.
  if (declared.startsWith('utf-16') || declared === 'us-ascii') return null;
  return declared === 'iso-8859-1' ? 'windows-1252' : declared;
}

async function* decodeAs(encoding: string, source: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = iconv.getDecoder(encoding, { stripBOM: true });
  for await (const chunk of source) yield decoder.write(chunk);
  yield decoder.end() ?? '';
}

/**
 * This many bytes from the first one beyond ASCII decide the encoding, however the network splits
 * them.
 */
const tellingBytes = 1_024;

async function* decodeUtf8OrWindows(source: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let decoder: iconv.DecoderStream | null = null;
  let held = Buffer.alloc(0);
  for await (const chunk of source) {
    if (decoder) {
      yield decoder.write(chunk);
      continue;
    }
    const bytes = Buffer.concat([held, chunk]);
    const first = isAscii(bytes) ? bytes.length : bytes.findIndex((byte) => byte > 0x7f);
    if (first > 0) yield bytes.toString('latin1', 0, first);
    held = bytes.subarray(first);
    if (held.length < tellingBytes) continue;
    decoder = decoderOf(held.subarray(0, tellingBytes), 3);
    yield decoder.write(held);
  }
  if (decoder === null) {
    decoder = decoderOf(held, 0);
    yield decoder.write(held);
  }
  yield decoder.end() ?? '';
}

/** Returns UTF-8 if these bytes are valid, except for a character cut at the end. */
function decoderOf(bytes: Buffer, mostCut: number): iconv.DecoderStream {
  const cuts = Array.from({ length: mostCut + 1 }, (_, cut) => bytes.length - cut);
  const isWhole = cuts.some((length) => isUtf8(bytes.subarray(0, length)));
  return iconv.getDecoder(isWhole ? 'utf-8' : 'windows-1252');
}

/**
 * Returns the first chunks, with at least so many bytes or characters, and the whole stream from
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
