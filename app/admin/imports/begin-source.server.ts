import { redirect } from 'react-router';
import { FeedError } from '#app/features/feeds/formats/feed-error.ts';
import { feedSourceInput } from '#app/features/feeds/sources/feed-source-input.ts';
import { fetchSource } from '#app/features/feeds/sources/fetch-source.server.ts';
import type { FeedSourceRow } from '#app/features/feeds/sources/feed-source-queries.server.ts';
import { saveFeedSource } from '#app/features/feeds/sources/save-feed-source.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { fieldErrors } from '#app/platform/input-fields.ts';
import { readText } from '#app/platform/read-text.ts';
import type { NewSourceOutcome } from './upload-form.tsx';

/**
 * A new source with an address or a folder: its feed is fetched first, so that what cannot be had makes no source.
 * Leads on to its columns.
 */
export async function beginSource(
  services: AppServices,
  actor: string,
  form: FormData,
): Promise<Response | NewSourceOutcome> {
  const values = { merchant: readText(form, 'merchant'), location: readText(form, 'location') };
  const kind = form.get('kind') === 'folder' ? 'folder' : 'url';
  const read = feedSourceInput.safeParse({
    ...values,
    kind,
    name: nameOf(kind, values.location, values.merchant),
    groups_variants: 'on',
    ends_missing: 'on',
    is_active: 'on',
  });
  if (!read.success) return { kind, values, errors: fieldErrors(read.error) };
  const unsaved = { kind: read.data.kind, location: read.data.location };
  const looked = await fetchCopy(services, unsaved);
  if (!looked.ok) return { kind, values, message: looked.reason };
  const id = await saveFeedSource(services.db, actor, read.data);
  return redirect(columnsHref(id ?? 0, looked.copy));
}

/** Fetches the feed of a source that stands, and says where its columns are shown. */
export async function lookAtSource(
  services: AppServices,
  id: number,
  source: Pick<FeedSourceRow, 'kind' | 'location'>,
): Promise<{ ok: true; href: string } | { ok: false; reason: string }> {
  const looked = await fetchCopy(services, source);
  return looked.ok ? { ok: true, href: columnsHref(id, looked.copy) } : looked;
}

type Fetched = { ok: true; copy: string | null } | { ok: false; reason: string };

async function fetchCopy(
  { env, now }: AppServices,
  { kind, location }: Pick<FeedSourceRow, 'kind' | 'location'>,
): Promise<Fetched> {
  try {
    const fetched = await fetchSource(
      { kind, location, etag: null, last_modified: null },
      { dataDir: env.dataDir, now: now(), isForced: true },
    );
    return { ok: true, copy: fetched?.copy ?? null };
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    return { ok: false, reason: sentence(error.message) };
  }
}

function columnsHref(id: number, copy: string | null): string {
  return `/admin/imports/sources/${id}/columns${copy ? `?file=${copy}` : ''}`;
}

function nameOf(kind: string, location: string, merchant: string): string {
  const place = kind === 'url' ? (URL.parse(location)?.host ?? '') : location;
  return [merchant, place].filter(Boolean).join(', ').slice(0, 100);
}

/** Our errors are the end of a line at a terminal; on a page they are sentences. */
export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.?$/, '.')}`;
}
