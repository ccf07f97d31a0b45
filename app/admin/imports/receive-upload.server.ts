import { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import { redirect } from 'react-router';
import { FeedError } from '#app/features/feeds/formats/feed-error.ts';
import { feedSourceInput } from '#app/features/feeds/sources/feed-source-input.ts';
import {
  feedFilePath,
  removeFeedFile,
  storeFeedFile,
  uploadSizeLimits,
} from '#app/features/feeds/sources/feed-files.server.ts';
import { findFeedSource } from '#app/features/feeds/sources/feed-source-queries.server.ts';
import { previewFeed } from '#app/features/feeds/sources/preview-feed.server.ts';
import { saveFeedSource } from '#app/features/feeds/sources/save-feed-source.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { sentence } from './begin-source.server.ts';
import { fieldErrors } from '#app/platform/input-fields.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import type { NewSourceOutcome } from './upload-form.tsx';

interface Upload {
  fields: Record<string, string>;
  file: { stored: string; name: string } | null;
}

/** A feed that is sent by hand: kept as it comes, looked at, and then a source that leads on to its columns. */
export async function receiveUpload(
  { db, env }: AppServices,
  actor: string,
  request: Request,
): Promise<Response | NewSourceOutcome> {
  const refuse = (values: Record<string, string>, message: string): NewSourceOutcome => ({
    kind: 'upload',
    values,
    message,
  });
  let upload: Upload;
  try {
    upload = await readUpload(request, env.dataDir);
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    return refuse({}, sentence(error.message));
  }
  const { fields, file } = upload;
  if (!file) return refuse(fields, 'Choose a file.');
  const forget = () => removeFeedFile(env.dataDir, file.stored);
  const seen = await previewFeed(feedFilePath(env.dataDir, file.stored), {
    format: 'auto',
    mapping: {},
    sizeLimits: uploadSizeLimits,
  });
  if (!seen.ok) {
    await forget();
    return refuse(fields, sentence(seen.reason));
  }
  const sourceId = parseRowId(fields.source);
  if (sourceId !== null) {
    if (await findFeedSource(db, sourceId)) return leadOn(sourceId, file);
    await forget();
    return refuse(fields, 'This source is gone.');
  }
  const read = feedSourceInput.safeParse({
    kind: 'upload',
    merchant: fields.merchant ?? '',
    name: [fields.merchant, 'uploads'].filter(Boolean).join(', ').slice(0, 100),
    groups_variants: 'on',
    ends_missing: 'on',
    is_active: 'on',
  });
  if (!read.success) {
    await forget();
    return { kind: 'upload', values: fields, errors: fieldErrors(read.error) };
  }
  const id = await saveFeedSource(db, actor, read.data);
  return leadOn(id ?? 0, file);
}

function leadOn(sourceId: number, file: { stored: string; name: string }): Response {
  const query = new URLSearchParams({ file: file.stored, name: file.name.slice(0, 200) });
  return redirect(`/admin/imports/sources/${sourceId}/columns?${query.toString()}`);
}

/** Reads the form as it streams: the first file goes to the disk, small texts are kept, all else is passed over. */
async function readUpload(request: Request, dataDir: string): Promise<Upload> {
  const type = request.headers.get('content-type') ?? '';
  if (!type.startsWith('multipart/form-data') || !request.body) {
    throw new FeedError('choose a file');
  }
  const fields: Record<string, string> = {};
  let storing: Promise<Upload['file']> = Promise.resolve(null);
  const body = Readable.fromWeb(request.body as Parameters<typeof Readable.fromWeb>[0]);
  try {
    await new Promise<void>((resolve, reject) => {
      const parser = new Busboy({
        headers: { 'content-type': type },
        limits: { fields: 10, fieldSize: 1_000, files: 1, parts: 12 },
      });
      parser.on('field', (name, value) => {
        fields[name.slice(0, 50)] = value;
      });
      parser.on('file', (name, stream, fileName) => {
        // A part that ends early says so to whoever reads it, and ends the process where nobody hears it.
        if (name !== 'file' || !fileName) return void stream.on('error', reject).resume();
        storing = keep(stream, fileName, dataDir);
        storing.catch(reject);
      });
      parser.on('error', reject);
      parser.on('finish', resolve);
      body.on('error', reject);
      body.pipe(parser);
    });
    return { fields, file: await storing };
  } catch (error) {
    body.destroy();
    const kept = await storing.catch(() => null);
    if (kept) await removeFeedFile(dataDir, kept.stored);
    if (error instanceof FeedError) throw error;
    throw new FeedError('the upload broke off', { cause: error });
  }
}

async function keep(
  stream: AsyncIterable<Uint8Array>,
  name: string,
  dataDir: string,
): Promise<Upload['file']> {
  return { stored: await storeFeedFile(dataDir, stream), name };
}
