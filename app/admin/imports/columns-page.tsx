import type { Route } from './+types/columns-page';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import {
  feedFilePath,
  findWatchedFile,
  sourceSizeLimits,
  uploadSizeLimits,
} from '#app/features/feeds/sources/feed-files.server.ts';
import { readCategoryMapping, readMapping } from '#app/features/feeds/sources/feed-source-input.ts';
import {
  findFeedSource,
  type FeedSourceRow,
} from '#app/features/feeds/sources/feed-source-queries.server.ts';
import { listCategoryNames } from '#app/features/feeds/runs/import-queries.server.ts';
import {
  previewFeed,
  type PreviewResult,
} from '#app/features/feeds/sources/preview-feed.server.ts';
import { shopOf } from '#app/features/feeds/sources/shop-of.ts';
import { queueImport } from '#app/features/feeds/runs/queue-import.server.ts';
import {
  applyMappingFile,
  copyMapping,
  listFittingMappings,
  mappingFileOf,
  readMappingFile,
} from '#app/features/feeds/sources/mapping-files.server.ts';
import { saveMappings } from '#app/features/feeds/sources/save-feed-source.server.ts';
import { redirectWithFlash } from '#app/admin/frame/flash.server.ts';
import { type AppServices, appServices } from '#app/platform/app-context.server.ts';
import { safeUrl } from '#app/platform/safe-url.ts';
import { askedRow } from '#app/platform/asked-row.server.ts';
import { readPost } from '#app/platform/read-post.server.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { ColumnsForm, FittingMappings, MappingTools } from './columns-form.tsx';
import { sentence } from './new-source.server.ts';
import styles from './imports.module.css';

export async function loader({ request, params, context }: Route.LoaderArgs) {
  requireRight(context, 'feeds.import');
  const services = appServices(context);
  const source = await askedRow(services.db, params.id, findFeedSource);
  const [seen, categories] = await Promise.all([
    look(services, source, copyOf(request)?.path),
    listCategoryNames(services.db),
  ]);
  const hasOwn = Object.keys(source.mapping).length > 0 || source.mapping_file !== null;
  const fitting =
    seen.ok && !hasOwn ? await listFittingMappings(services.db, source.id, seen.preview.head) : [];
  return {
    source: { id: source.id, name: source.name, kind: source.kind },
    place: source.record_path ?? '',
    shop: { own: source.shop_url ?? '', known: shopOf({ ...source, shop_url: null }) ?? '' },
    file: mappingFileOf(source)?.label ?? null,
    fitting,
    seen: seen.ok ? seen.preview : null,
    fault: seen.ok ? null : sentence(seen.reason),
    mapping: source.mapping,
    categoryMapping: source.category_mapping,
    categories,
  };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const user = requireRight(context, 'feeds.import');
  const source = await askedRow(appServices(context).db, params.id, findFeedSource);
  const { db, form, intent, text } = await readPost(context, request);
  const { pathname, search } = new URL(request.url);
  const again = (words: string, kind: 'info' | 'error' = 'info') =>
    redirectWithFlash(context, pathname.replace(/\.data$/, '') + pageSearch(search), words, {
      kind,
    });
  if (intent === 'use-file') {
    const sent = form.get('mapping');
    const read = readMappingFile(sent instanceof File ? await sent.text() : '');
    if (!read.ok) return again(read.reason, 'error');
    await applyMappingFile(db, source.id, read.file);
    return again(`The feed is now read with “${read.file.label}”.`);
  }
  if (intent === 'use-source') {
    const from = await askedRow(db, text('from'), findFeedSource);
    await copyMapping(db, source.id, from);
    return again(`The feed is now read like “${from.name}”.`);
  }
  await saveMappings(db, source.id, {
    mapping: readMapping(form),
    record_path: text('place').slice(0, 500) || null,
    shop_url: readShop(text('shop_url')),
    head: text('head').replaceAll('\r\n', '\n').slice(0, 10_000) || null,
    categoryMapping: { ...source.category_mapping, ...readCategoryMapping(form) },
  });
  if (intent === 'save' && text('place') !== (source.record_path ?? '')) {
    return again('Product element saved. Check the columns.');
  }
  if (intent !== 'dry-run') {
    return redirectWithFlash(context, `/admin/imports/sources/${source.id}`, 'Columns saved.');
  }
  // A copy that contains only the beginning of the feed is used for the preview alone.
  const isCut = new URL(request.url).searchParams.has('cut');
  const file = isCut ? null : copyOf(request);
  const run = await queueImport(db, {
    sourceId: source.id,
    isDryRun: true,
    actor: user.id,
    ...(file && { file }),
  });
  return redirectWithFlash(context, `/admin/imports/runs/${run}`, 'The preview has started.');
}

/** Removes the parameters that the router's own data requests add. */
function pageSearch(search: string): string {
  const kept = new URLSearchParams(search);
  kept.delete('_routes');
  return kept.size > 0 ? `?${kept}` : '';
}

/** Accepts `shop.example` without a protocol. */
function readShop(text: string): string | null {
  const trimmed = text.trim();
  return trimmed === ''
    ? null
    : safeUrl(/^https?:/i.test(trimmed) ? trimmed : `https://${trimmed}`);
}

/** Returns the stored copy named in the URL, or `null` if its name is not valid. */
function copyOf(request: Request): { path: string; name: string } | null {
  const { searchParams } = new URL(request.url);
  const path = searchParams.get('file') ?? '';
  if (!/^[\da-f-]{36}\.feed$/.test(path)) return null;
  return { path, name: (searchParams.get('name') ?? '').slice(0, 200) || 'fetched feed' };
}

async function look(
  { env, now }: AppServices,
  source: FeedSourceRow,
  copy: string | undefined,
): Promise<PreviewResult> {
  const options = {
    format: source.format,
    encoding: source.encoding,
    mapping: source.mapping,
    place: source.record_path ?? undefined,
    file: mappingFileOf(source),
    sizeLimits: source.kind === 'upload' ? uploadSizeLimits : sourceSizeLimits,
  };
  if (copy) return previewFeed(feedFilePath(env.dataDir, copy), options);
  if (source.kind !== 'folder') return { ok: false, reason: 'there is no feed to read' };
  return findWatchedFile(env.dataDir, source.location, now()).then(
    (file) => previewFeed(file.path, options),
    (error: Error) => ({ ok: false as const, reason: error.message }),
  );
}

export const meta = () => [{ title: 'Feed columns' }];

/** Another mapping remounts the form and resets its choices. */
const keyOf = ({ mapping, file, place }: Route.ComponentProps['loaderData']) =>
  JSON.stringify([mapping, file, place]);

export default function ColumnsPage({ loaderData }: Route.ComponentProps) {
  const { source, seen, fault } = loaderData;
  return (
    <div className={styles.page}>
      <AdminHeading title="Match columns">{source.name}</AdminHeading>
      {seen ? (
        <>
          <FittingMappings fitting={loaderData.fitting} />
          <ColumnsForm key={keyOf(loaderData)} {...loaderData} seen={seen} />
          <MappingTools {...loaderData} seen={seen} />
        </>
      ) : (
        <>
          <p className={styles.failure} role="alert">
            {fault}
          </p>
          <div className="bar gap-3">
            <ButtonLink to={`/admin/imports/sources/${source.id}`}>Back to the source</ButtonLink>
          </div>
        </>
      )}
    </div>
  );
}
