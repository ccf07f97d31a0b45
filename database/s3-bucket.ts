import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AwsClient } from 'aws4fetch';

/** A bucket and its credentials: the `S3_…` settings. */
export interface BucketPlace {
  /**
   * The URL of the service without the bucket, such as `https://s3.eu-central-1.amazonaws.com`.
   */
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

export interface BucketEntry {
  key: string;
  bytes: number;
}

export type Bucket = ReturnType<typeof openBucket>;

const patienceMs = 20_000;
/** bytes; S3 accepts 10,000 parts per upload, so this is enough for 320 GB */
const partSize = 32 * 2 ** 20;

/**
 * Opens a bucket of S3 or a compatible service. Tries requests four times before throwing an error
 * with the service's own code. The signature covers the SHA-256 of the content, so the service
 * rejects bytes that change in transit.
 */
export function openBucket(place: BucketPlace) {
  const { send, ask } = openLine(place);
  async function find(key: string): Promise<{ bytes: number; writtenAt: Date } | null> {
    const answer = await send('HEAD', `/${key}`);
    if (answer.status === 404) return null;
    if (!answer.ok) throw new Error(`S3 answered ${answer.status} to HEAD /${key}.`);
    const { headers } = answer;
    const writtenAt = new Date(headers.get('last-modified') ?? 0);
    return { bytes: Number(headers.get('content-length')), writtenAt };
  }
  async function* read(key: string): AsyncGenerator<Uint8Array> {
    const { body } = await ask('GET', `/${key}`);
    if (body) yield* body;
  }
  return {
    find,
    read,
    list: (prefix: string) => listKeys(ask, prefix),
    upload: (key: string, file: string) => upload(ask, key, file),
    put: async (key: string, content: Uint8Array) =>
      void (await ask('PUT', `/${key}`, new Uint8Array(content))),
    remove: async (key: string) => void (await ask('DELETE', `/${key}`)),
    download: (key: string, file: string) =>
      pipeline(Readable.from(read(key)), createWriteStream(file, { mode: 0o600 })),
  };
}

type Send = (
  method: string,
  path: string,
  body?: Uint8Array<ArrayBuffer> | string,
) => Promise<Response>;

/** Returns functions that send signed requests. `ask` throws unless the response is successful. */
function openLine(place: BucketPlace): { send: Send; ask: Send } {
  const { accessKeyId, secretAccessKey, region } = place;
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 3 });
  const send: Send = (method, path, body) => {
    const headers = body !== undefined && { 'x-amz-content-sha256': sha256(body) };
    const signal = AbortSignal.timeout(patienceMs * (body instanceof Uint8Array ? 15 : 1));
    return client.fetch(`${place.endpoint}/${place.bucket}${path}`, {
      method,
      redirect: 'manual',
      ...(headers && { headers, body }),
      // Downloads have no time limit, because visitors may be slow.
      ...(method !== 'GET' && { signal }),
    });
  };
  const ask: Send = async (method, path, body) => {
    const answer = await send(method, path, body);
    if (answer.ok) return answer;
    const code = textOf(await answer.text(), 'Code')[0];
    throw new Error(
      `S3 answered ${answer.status}${code ? ` (${code})` : ''} to ${method} ${path}.`,
    );
  };
  return { send, ask };
}

/** Lists keys in order. Our own keys need no unescaping. */
async function listKeys(ask: Send, prefix: string): Promise<BucketEntry[]> {
  const entries: BucketEntry[] = [];
  for (let token: string | undefined, isFirst = true; isFirst || token; isFirst = false) {
    const more = token ? `&continuation-token=${encodeURIComponent(token)}` : '';
    const query = `?list-type=2&prefix=${encodeURIComponent(prefix)}${more}`;
    const text = await (await ask('GET', query)).text();
    const sizes = textOf(text, 'Size');
    const keys = textOf(text, 'Key');
    entries.push(...keys.map((key, at) => ({ key, bytes: Number(sizes[at]) })));
    [token] = textOf(text, 'NextContinuationToken');
  }
  return entries;
}

/** Uploads in parts, so that a file of any size needs memory for one part only. */
async function upload(ask: Send, key: string, file: string): Promise<void> {
  const begun = await (await ask('POST', `/${key}?uploads=`)).text();
  const id = encodeURIComponent(textOf(begun, 'UploadId')[0] ?? '');
  try {
    const parts: string[] = [];
    for await (const bytes of piecesOf(file)) {
      const number = parts.length + 1;
      const { headers } = await ask('PUT', `/${key}?partNumber=${number}&uploadId=${id}`, bytes);
      const tag = headers.get('etag') ?? '';
      parts.push(`<Part><PartNumber>${number}</PartNumber><ETag>${tag}</ETag></Part>`);
    }
    const all = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`;
    // The service may respond with status 200 and still report an error.
    const ended = await (await ask('POST', `/${key}?uploadId=${id}`, all)).text();
    if (ended.includes('<Error>')) {
      throw new Error(`S3 refused the upload of ${key}: ${textOf(ended, 'Code')[0]}.`);
    }
  } catch (error) {
    await ask('DELETE', `/${key}?uploadId=${id}`).catch(() => {});
    throw error;
  }
}

function sha256(body: Uint8Array | string): string {
  return createHash('sha256').update(body).digest('hex');
}

/**
 * Returns the text of each element with this name. The responses are flat XML, and the elements
 * that we read contain no markup.
 */
function textOf(xml: string, element: string): string[] {
  const found = xml.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, 'g'));
  return [...found].map(([, text = '']) => text);
}

async function* piecesOf(file: string): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const source = createReadStream(file, { highWaterMark: 2 ** 20 });
  let [pieces, size]: [Buffer[], number] = [[], 0];
  for await (const bytes of source) {
    pieces.push(bytes);
    size += bytes.length;
    if (size < partSize) continue;
    yield new Uint8Array(Buffer.concat(pieces));
    [pieces, size] = [[], 0];
  }
  if (size > 0) yield new Uint8Array(Buffer.concat(pieces));
}
