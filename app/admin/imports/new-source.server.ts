import { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import { redirect } from 'react-router';
import { FeedError } from '#app/features/feeds/formats/feed-error.ts';
import { isCouponFeed } from '#app/features/coupons/import-coupon-feed.server.ts';
import { queueImport } from '#app/features/feeds/runs/queue-import.server.ts';
import { feedSourceInput } from '#app/features/feeds/sources/feed-source-input.ts';
import {
  feedFilePath,
  removeFeedFile,
  storeFeedFile,
  uploadSizeLimits,
} from '#app/features/feeds/sources/feed-files.server.ts';
import {
  type FeedSignIn,
  secretFields,
  storedSignIn,
  typedSignIn,
} from '#app/features/feeds/sources/feed-sign-in.server.ts';
import { fetchSource } from '#app/features/feeds/sources/fetch-source.server.ts';
import { isOwnHost } from '#app/platform/own-hosts.ts';
import {
  type FeedSourceRow,
  findFeedSource,
  pinHostKey,
} from '#app/features/feeds/sources/feed-source-queries.server.ts';
import { previewFeed } from '#app/features/feeds/sources/preview-feed.server.ts';
import { saveFeedSource } from '#app/features/feeds/sources/save-feed-source.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { fieldErrors } from '#app/platform/input-fields.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import type { Post } from '#app/platform/read-post.server.ts';
import type { FeedContent } from '#database/schema/feed-tables.ts';
import type { NewSourceOutcome } from './new-source-forms.tsx';

type Place = Pick<FeedSourceRow, 'kind' | 'location'>;

/** The preview reads only this many bytes of a feed's URL; the run reads everything. */
const previewedBytes = uploadSizeLimits.rawBytes;

/**
 * Creates a source for a URL or folder. The feed is fetched first, so a failure creates no
 * source. Redirects to its columns.
 */
export async function beginSource(
  { services, text }: Post,
  actor: string,
): Promise<Response | NewSourceOutcome> {
  const values = {
    merchant: text('merchant'),
    location: text('location'),
    user_name: text('user_name'),
  };
  const secrets = Object.fromEntries(secretFields.map((name) => [name, text(name)]));
  const kind = text('kind') === 'folder' ? 'folder' : 'url';
  const place = kind === 'url' ? (URL.parse(values.location)?.host ?? '') : values.location;
  const read = readSource({ ...values, ...secrets, kind }, place);
  if (!read.success) return { kind, values, errors: fieldErrors(read.error) };
  const signIn = typedSignIn(read.data);
  const fetched = await fetchCopy(services, { ...read.data, host_key: null }, signIn);
  if (!fetched.ok) return { kind, values, message: fetched.reason };
  const content = await contentOf(services, fetched.file);
  const input = { ...read.data, content };
  const id = await saveFeedSource(services.db, actor, input, undefined, fetched.hostKey);
  return content === 'coupons'
    ? toPreview(services, actor, id, fetched.file)
    : toColumns(id, fetched.file);
}

type Copy = Record<string, string>;

/** Returns whether a stored copy contains products or coupons. */
async function contentOf({ env }: AppServices, { file }: Copy): Promise<FeedContent> {
  const isCoupons = file !== undefined && (await isCouponFeed(feedFilePath(env.dataDir, file)));
  return isCoupons ? 'coupons' : 'deals';
}

/** Queues a dry run, since coupons need no choice of columns. */
async function toPreview(
  { db }: AppServices,
  actor: string,
  id: number | null,
  { file, cut, name = '' }: Copy,
): Promise<Response> {
  const run = await queueImport(db, {
    sourceId: id ?? 0,
    isDryRun: true,
    actor,
    // An incomplete copy would end the coupons that it lacks.
    ...(file && !cut && { file: { path: file, name: name || 'fetched feed' } }),
  });
  return redirect(`/admin/imports/runs/${run ?? 0}`);
}

/** Fetches the feed of an existing source, and redirects to its columns, or to its preview. */
export async function inspectSource(
  services: AppServices,
  actor: string,
  source: FeedSourceRow,
): Promise<Response | { reason: string }> {
  const signIn = await storedSignIn(services.db, source);
  const fetched = await fetchCopy(services, source, signIn);
  if (!fetched.ok) return fetched;
  await pinHostKey(services.db, source, fetched.hostKey);
  return source.content === 'coupons'
    ? toPreview(services, actor, source.id, fetched.file)
    : toColumns(source.id, fetched.file);
}

async function fetchCopy(
  { env, now }: AppServices,
  { kind, location, host_key }: Place & Pick<FeedSourceRow, 'host_key'>,
  signIn: FeedSignIn | null,
) {
  try {
    const fetched = await fetchSource(
      { kind, location, host_key, etag: null, last_modified: null },
      {
        dataDir: env.dataDir,
        now: now(),
        isForced: true,
        signIn,
        allowPrivate: isOwnHost(env, location),
        cutAt: previewedBytes,
      },
    );
    const file: Copy = fetched?.copy
      ? { file: fetched.copy, ...(fetched.isCut && { cut: 'yes' }) }
      : {};
    return { ok: true as const, file, hostKey: fetched?.hostKey ?? null };
  } catch (error) {
    return { ok: false as const, reason: reasonOf(error) };
  }
}

/** Stores an uploaded feed, reads it, and creates a source. Redirects to its columns. */
export async function receiveUpload(
  services: AppServices,
  actor: string,
  request: Request,
): Promise<Response | NewSourceOutcome> {
  const { dataDir } = services.env;
  let upload: Upload;
  try {
    upload = await readUpload(request, dataDir);
  } catch (error) {
    return { kind: 'upload', values: {}, message: reasonOf(error) };
  }
  const { fields, file } = upload;
  if (!file) return { kind: 'upload', values: fields, message: 'Choose a file.' };
  const taken = await takeUpload(services, actor, fields, file);
  if (taken instanceof Response) return taken;
  await removeFeedFile(dataDir, file.stored);
  return { kind: 'upload', values: fields, ...taken };
}

/**
 * Redirects to the column page of the file's source, or returns the reason why there is no source.
 */
async function takeUpload(
  services: AppServices,
  actor: string,
  { source, merchant = '' }: Upload['fields'],
  { stored, name }: NonNullable<Upload['file']>,
): Promise<Response | Pick<NewSourceOutcome, 'message' | 'errors'>> {
  const { db, env } = services;
  const seen = await previewFeed(feedFilePath(env.dataDir, stored), {
    format: 'auto',
    mapping: {},
    sizeLimits: uploadSizeLimits,
  });
  if (!seen.ok) return { message: sentence(seen.reason) };
  const file = { file: stored, name: name.slice(0, 200) };
  const sourceId = parseRowId(source);
  if (sourceId !== null) {
    const found = await findFeedSource(db, sourceId);
    if (!found) return { message: 'This source no longer exists.' };
    return found.content === 'coupons'
      ? toPreview(services, actor, sourceId, file)
      : toColumns(sourceId, file);
  }
  const read = readSource({ kind: 'upload', merchant }, 'uploads');
  if (!read.success) return { errors: fieldErrors(read.error) };
  const content = await contentOf(services, file);
  const id = await saveFeedSource(db, actor, { ...read.data, content });
  return content === 'coupons' ? toPreview(services, actor, id, file) : toColumns(id, file);
}

/** Returns a new source, named after its merchant and its location. */
function readSource(
  values: Partial<Place> & { merchant: string } & Record<string, string>,
  place: string,
) {
  return feedSourceInput.safeParse({
    ...values,
    name: [values.merchant, place].filter(Boolean).join(', ').slice(0, 100),
    groups_variants: 'on',
    ends_missing: 'on',
    is_active: 'on',
  });
}

function toColumns(id: number | null, file: Record<string, string>): Response {
  const search = new URLSearchParams(file).toString();
  return redirect(`/admin/imports/sources/${id ?? 0}/columns${search && `?${search}`}`);
}

interface Upload {
  fields: Record<string, string>;
  file: { stored: string; name: string } | null;
}

/**
 * Reads the form as a stream. The first file goes to disk, short texts are kept, and everything
 * else is skipped.
 */
export async function readUpload(request: Request, dataDir: string): Promise<Upload> {
  const type = request.headers.get('content-type') ?? '';
  if (!type.startsWith('multipart/form-data') || !request.body) {
    throw new FeedError('choose a file');
  }
  const fields: Upload['fields'] = {};
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
      parser.on('file', (field, stream, name) => {
        // A part that ends early emits an error. Without a listener, that error would end the
        // process.
        if (field !== 'file' || !name) return void stream.on('error', reject).resume();
        storing = storeFeedFile(dataDir, stream).then((stored) => ({ stored, name }));
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
    throw new FeedError('the upload was interrupted', { cause: error });
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof FeedError)) throw error;
  return sentence(error.message);
}

/** Turns an error message for the terminal into a sentence for the page. */
export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.?$/, '.')}`;
}
