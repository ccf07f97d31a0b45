import { isAscii, isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import iconv from 'iconv-lite';
import { FeedError } from './feed-error.ts';

export interface FeedSizeLimits {
  rawBytes: number;
  unpackedBytes: number;
}

/** How many times its packed size a feed may grow (a small file that unpacks into gigabytes is an attack). */
const largestRatio = 100;
const ratioMattersFrom = 1024 * 1024;

/** The bytes as they are after an optional gzip, which is told by its first bytes, not by a name. */
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
  const { head, rest } = await peek(counted(), 4);
  if (head.length >= 4 && head.readUInt32BE(0) === 0x504b0304) {
    throw new FeedError('this is a ZIP archive: unpack it and import the file inside');
  }
  const isPacked = head.length >= 2 && head[0] === 0x1f && head[1] === 0x8b;
  let unpacked = 0;
  for await (const chunk of isPacked ? gunzip(rest) : rest) {
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
  const input = Readable.from(source);
  const unzip = createGunzip();
  let inputError: Error | undefined;
  input.on('error', (error) => {
    inputError = error;
    unzip.destroy(error);
  });
  try {
    for await (const chunk of input.pipe(unzip) as AsyncIterable<Buffer>) yield chunk;
  } catch (error) {
    if (inputError) throw inputError;
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'Z_BUF_ERROR') throw new FeedError('the packed feed is cut off', { cause: error });
    throw new FeedError('the packed feed is damaged', { cause: error });
  } finally {
    input.destroy();
    unzip.destroy();
  }
}

export interface DecodedFeed {
  encoding: string;
  text: AsyncGenerator<string>;
}

/**
 * The text of a feed: by its byte-order mark, else by its XML declaration, else UTF-8 with a fall back to
 * windows-1252, which is decided where the first byte beyond ASCII stands.
 */
export async function decodeFeed(source: AsyncIterable<Buffer>): Promise<DecodedFeed> {
  const { head, rest } = await peek(source, 1024);
  const named = encodingByMark(head) ?? encodingByDeclaration(head);
  if (named === null) return { encoding: 'utf-8', text: decodeUtf8OrWindows(rest) };
  if (!iconv.encodingExists(named)) {
    throw new FeedError(
      `the feed says it is written in "${String(named)}", which is not a known encoding`,
    );
  }
  return { encoding: named, text: decodeAs(named, rest) };
}

function encodingByMark(head: Buffer): string | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return 'utf-8';
  // Without a mark, the first character of XML or CSV is ASCII: a zero byte beside it gives UTF-16 away.
  if (head.length >= 2 && head[0] !== 0 && head[1] === 0) return 'utf-16le';
  if (head.length >= 2 && head[0] === 0 && head[1] !== 0) return 'utf-16be';
  return null;
}

function encodingByDeclaration(head: Buffer): string | null {
  const declared = /^\s*<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]{1,40})["']/i
    .exec(head.toString('latin1'))?.[1]
    ?.toLowerCase();
  if (declared === undefined || declared === 'utf-8' || declared === 'utf8') return null;
  // The file was read this far byte by byte, so a declaration of UTF-16 is a left-over of a conversion.
  if (declared.startsWith('utf-16') || declared === 'us-ascii') return null;
  return declared === 'iso-8859-1' ? 'windows-1252' : declared;
}

async function* decodeAs(encoding: string, source: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = iconv.getDecoder(encoding, { stripBOM: true });
  for await (const chunk of source) yield decoder.write(chunk);
  yield decoder.end() ?? '';
}

async function* decodeUtf8OrWindows(source: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let decoder: iconv.DecoderStream | null = null;
  let held = Buffer.alloc(0);
  for await (const chunk of source) {
    if (decoder) {
      yield decoder.write(chunk);
      continue;
    }
    const bytes = held.length > 0 ? Buffer.concat([held, chunk]) : chunk;
    held = Buffer.alloc(0);
    if (isAscii(bytes)) {
      yield bytes.toString('latin1');
      continue;
    }
    const whole = bytes.subarray(0, endOfWholeCharacters(bytes));
    if (whole.length < bytes.length && isAscii(whole)) {
      // The only other byte is the beginning of a character whose rest is still to come.
      held = Buffer.from(bytes.subarray(whole.length));
      yield whole.toString('latin1');
      continue;
    }
    decoder = iconv.getDecoder(isUtf8(whole) ? 'utf-8' : 'windows-1252');
    yield decoder.write(bytes);
  }
  if (held.length > 0) decoder = iconv.getDecoder('windows-1252');
  if (decoder) yield decoder.write(held) + (decoder.end() ?? '');
}

/** Where the last UTF-8 character ends that is certainly complete. */
function endOfWholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes.length;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    if (length > 1) return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** The first bytes, and the whole from its beginning. */
async function peek(
  source: AsyncIterable<Buffer>,
  least: number,
): Promise<{ head: Buffer; rest: AsyncGenerator<Buffer> }> {
  const iterator = source[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < least) {
    const next = await iterator.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  async function* rest(): AsyncGenerator<Buffer> {
    try {
      if (head.length > 0) yield head;
      for (let next = await iterator.next(); !next.done; next = await iterator.next())
        yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
  return { head, rest: rest() };
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MB`;
}
