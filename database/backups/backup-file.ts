import { createHash } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { z } from 'zod';
import { errorCode } from '#database/error-code.ts';
import { readUnsealed, seal } from './sealed-file.ts';

// A backup is one gzipped file of parts. Each part is a JSON head followed by the part's bytes in
// chunks. Each chunk is preceded by its length, and a chunk of length zero ends the part. The last
// part is the manifest, which a truncated file lacks.

const startHead = z.object({
  kind: z.literal('start'),
  format: z.literal(1),
  migrations: z.array(z.string()),
  createdAt: z.iso.datetime(),
  /** The site's origin. Backups from before version 1.2 lack it. */
  site: z.string().optional(),
});
const tableHead = z.object({
  kind: z.literal('table'),
  name: z.string(),
  columns: z.array(z.string()).min(1),
  /** Each sequence with its last number, so that the id of a deleted row is never reused. */
  sequences: z.record(z.string(), z.string().regex(/^\d{1,19}$/)).optional(),
});
const mediaHead = z.object({ kind: z.literal('media'), name: z.string() });
const partHead = z.discriminatedUnion('kind', [startHead, tableHead, mediaHead]);
export type PartHead = z.output<typeof partHead>;

export interface Part {
  head: PartHead;
  body: AsyncIterable<Buffer>;
}

/**
 * The size of the written data, for comparison when it is read back. `rows` are lines of a table's
 * data, one per row.
 */
const weightSchema = z.object({
  name: z.string(),
  bytes: z.number(),
  rows: z.number(),
  sha256: z.string(),
});
type Weight = z.output<typeof weightSchema>;
const manifestSchema = z.object({ kind: z.literal('end'), weights: z.array(weightSchema) });
type Manifest = z.output<typeof manifestSchema>;
const anyHead = z.discriminatedUnion('kind', [partHead, manifestSchema]);

export interface BackupContent {
  start: Extract<PartHead, { kind: 'start' }>;
  weights: Weight[];
}

export class DamagedBackup extends Error {}

const longestPiece = 64 * 2 ** 20;
const lineFeed = 10;

/**
 * Writes to a temporary file and renames it when it is complete. Only the owner can read the file,
 * because it contains secrets. If there is a `key`, the file is sealed with it.
 */
export async function writeBackupFile(
  file: string,
  parts: AsyncIterable<Part>,
  key: string | null,
): Promise<void> {
  const draft = `${file}.part`;
  // Opens the file first, so that the database is not queried if the folder is not writable.
  const target = (await open(draft, 'w', 0o600)).createWriteStream();
  try {
    const packed = Readable.from(frames(parts), { objectMode: false });
    await (key === null
      ? pipeline(packed, createGzip(), target)
      : pipeline(packed, createGzip(), seal(key), target));
    const handle = await open(draft, 'r+');
    await handle.sync().finally(() => handle.close());
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/**
 * Reads a backup part by part. `take` receives every part, and must read or skip it. Throws
 * `DamagedBackup` if the file is truncated or altered. Therefore nothing may be used before the end
 * is reached.
 */
export async function readBackupFile(
  file: string,
  key: string | null,
  take: (part: Part) => Promise<void>,
): Promise<BackupContent> {
  const weights: Weight[] = [];
  let start: BackupContent['start'] | null = null;
  const source = await readUnsealed(file, key);
  const unzipped = createGunzip();
  source.on('error', (error) => unzipped.destroy(error));
  try {
    const bytes = new PieceReader(source.pipe(unzipped));
    while (true) {
      const head = anyHead.parse(JSON.parse((await bytes.piece()).toString()));
      if (head.kind === 'end') return compare(start, weights, head);
      const weight = emptyWeight(head);
      const body = weigh(bytes.pieces(), weight);
      if (head.kind === 'start') start = head;
      await take({ head, body });
      while (!(await body.next()).done) continue; // Skips the unread rest of the part.
      weights.push(weight);
    }
  } catch (error) {
    const isMalformed = error instanceof SyntaxError || error instanceof z.ZodError;
    if (isMalformed || errorCode(error).startsWith('Z_')) {
      throw new DamagedBackup('The backup is damaged or truncated.', { cause: error });
    }
    throw error;
  } finally {
    source.destroy();
    unzipped.destroy();
  }
}

async function* frames(parts: AsyncIterable<Part>): AsyncGenerator<Buffer> {
  const weights: Weight[] = [];
  for await (const { head, body } of parts) {
    const weight = emptyWeight(head);
    yield piece(Buffer.from(JSON.stringify(head)));
    for await (const bytes of weigh(body, weight)) if (bytes.length > 0) yield piece(bytes);
    yield piece(Buffer.alloc(0));
    weights.push(weight);
  }
  const manifest: Manifest = { kind: 'end', weights };
  yield piece(Buffer.from(JSON.stringify(manifest)));
}

function piece(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

function emptyWeight(head: PartHead): Weight {
  const name = head.kind === 'start' ? 'start' : `${head.kind} ${head.name}`;
  return { name, bytes: 0, rows: 0, sha256: '' };
}

function compare(
  start: BackupContent['start'] | null,
  read: Weight[],
  manifest: Manifest,
): BackupContent {
  const wrong = manifest.weights.find(
    (weight, n) => JSON.stringify(weight) !== JSON.stringify(read[n]),
  );
  if (wrong || !start || manifest.weights.length !== read.length) {
    throw new DamagedBackup(`The backup is damaged${wrong ? ` in ${wrong.name}` : ''}.`);
  }
  return { start, weights: read };
}

/** Yields the bytes unchanged, and counts them. `weight` is complete at the end. */
async function* weigh(body: AsyncIterable<Buffer>, weight: Weight): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for await (const bytes of body) {
    hash.update(bytes);
    weight.bytes += bytes.length;
    for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) {
      weight.rows += 1;
    }
    yield bytes;
  }
  weight.sha256 = hash.digest('hex');
}

class PieceReader {
  readonly #source: AsyncIterator<Buffer>;
  #left: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async piece(): Promise<Buffer> {
    const length = (await this.#take(4)).readUInt32BE();
    if (length > longestPiece) throw new DamagedBackup('The backup is damaged.');
    return this.#take(length);
  }

  async *pieces(): AsyncGenerator<Buffer> {
    for (let bytes = await this.piece(); bytes.length > 0; bytes = await this.piece()) yield bytes;
  }

  async #take(length: number): Promise<Buffer> {
    const found = [this.#left];
    let bytes = this.#left.length;
    while (bytes < length) {
      const { value, done } = await this.#source.next();
      if (done) throw new DamagedBackup('The backup is truncated: its end is missing.');
      found.push(value);
      bytes += value.length;
    }
    const whole = Buffer.concat(found);
    this.#left = whole.subarray(length);
    return whole.subarray(0, length);
  }
}
