import { Form } from 'react-router';
import type { Route } from './+types/columns-page';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { FormSection } from '#app/admin/frame/form-section.tsx';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { feedFields } from '#app/features/feeds/formats/feed-fields.ts';
import {
  feedFilePath,
  findWatchedFile,
  uploadSizeLimits,
} from '#app/features/feeds/sources/feed-files.server.ts';
import { readCategoryMapping, readMapping } from '#app/features/feeds/sources/feed-source-input.ts';
import {
  findFeedSource,
  type FeedSourceRow,
} from '#app/features/feeds/sources/feed-source-queries.server.ts';
import { listCategoryNames } from '#app/features/feeds/runs/import-queries.server.ts';
import { defaultSizeLimits } from '#app/features/feeds/sources/open-feed.server.ts';
import {
  previewFeed,
  type PreviewResult,
} from '#app/features/feeds/sources/preview-feed.server.ts';
import { queueImport } from '#app/features/feeds/runs/queue-import.server.ts';
import { saveMappings } from '#app/features/feeds/sources/save-feed-source.server.ts';
import { redirectWithFlash } from '#app/admin/frame/flash.server.ts';
import { type AppServices, appServices } from '#app/platform/app-context.server.ts';
import { askedRow } from '#app/platform/asked-row.server.ts';
import { readPost } from '#app/platform/read-post.server.ts';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import { ChoiceField } from '#app/ui/choice-field.tsx';
import { fieldLabel, formatLabel } from './import-words.ts';
import { sentence } from './new-source.server.ts';
import forms from '#app/ui/form.module.css';
import styles from './imports.module.css';

export async function loader({ request, params, context }: Route.LoaderArgs) {
  requireRight(context, 'feeds.import');
  const services = appServices(context);
  const source = await askedRow(services.db, params.id, findFeedSource);
  const [seen, categories] = await Promise.all([
    look(services, source, copyOf(request)?.path),
    listCategoryNames(services.db),
  ]);
  return {
    source: { id: source.id, name: source.name, kind: source.kind },
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
  const { db, form, intent } = await readPost(context, request);
  await saveMappings(db, source.id, {
    mapping: readMapping(form),
    categoryMapping: { ...source.category_mapping, ...readCategoryMapping(form) },
  });
  if (intent !== 'dry-run') {
    return redirectWithFlash(context, `/admin/imports/sources/${source.id}`, 'Columns saved.');
  }
  const file = copyOf(request);
  const run = await queueImport(db, {
    sourceId: source.id,
    isDryRun: true,
    actor: user.id,
    ...(file && { file }),
  });
  return redirectWithFlash(context, `/admin/imports/runs/${run}`, 'The dry run has started.');
}

/** The stored copy the address names, if it names one of ours. */
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
    mapping: source.mapping,
    sizeLimits: source.kind === 'folder' ? defaultSizeLimits.file : uploadSizeLimits,
  };
  if (copy) return previewFeed(feedFilePath(env.dataDir, copy), options);
  if (source.kind !== 'folder') return { ok: false, reason: 'there is no feed to look at' };
  return findWatchedFile(env.dataDir, source.location, now()).then(
    (file) => previewFeed(file.path, options),
    (error: Error) => ({ ok: false as const, reason: error.message }),
  );
}

export const meta = () => [{ title: 'Columns of a feed' }];

export default function ColumnsPage({ loaderData }: Route.ComponentProps) {
  const { source, seen, fault } = loaderData;
  return (
    <div className={styles.page}>
      <AdminHeading title="What the columns mean">{source.name}</AdminHeading>
      {seen ? (
        <ColumnsForm {...loaderData} seen={seen} />
      ) : (
        <>
          <p className={styles.failure} role="alert">
            {fault}
          </p>
          <div className={styles.acts}>
            <ButtonLink to={`/admin/imports/sources/${source.id}`}>Back to the source</ButtonLink>
          </div>
        </>
      )}
    </div>
  );
}

type Loaded = Route.ComponentProps['loaderData'];

function ColumnsForm({
  seen,
  mapping,
  categoryMapping,
  categories,
}: Loaded & { seen: NonNullable<Loaded['seen']> }) {
  return (
    <>
      <section className={styles.part} aria-labelledby="samples">
        <h2 id="samples">The first rows</h2>
        <p className={styles.lead}>
          Read as {formatLabel(seen.format)}, in {seen.encoding}.
        </p>
        <SampleRows columns={seen.columns} rows={seen.rows} />
      </section>
      <Form method="post" className={`${forms.stack} ${styles.form}`}>
        <FormSection
          title="Columns"
          hint="Matched by name unless you choose. A choice is kept for this source."
        >
          {feedFields.map((field) => (
            <ChoiceField
              key={field}
              name={`map.${field}`}
              label={fieldLabel(field)}
              defaultValue={mapping[field] ?? ''}
              options={[
                {
                  value: '',
                  label:
                    mapping[field] === undefined && seen.chosen[field] !== undefined
                      ? `Automatic: ${seen.chosen[field]}`
                      : 'Automatic: none',
                },
                ...columnOptions(seen.columns, mapping[field]),
              ]}
            />
          ))}
        </FormSection>
        {seen.categories.length > 0 ? (
          <FormSection
            title="Categories"
            hint="The feed’s own names. If you choose none, a product goes to the category of that name, or to a new one."
          >
            {seen.categories.map(({ name, rows }, index) => (
              <div key={name}>
                <input type="hidden" name={`category.${index}.name`} value={name} />
                <ChoiceField
                  name={`category.${index}.id`}
                  label={`${name} (${rows.toLocaleString('en-US')})`}
                  defaultValue={String(categoryMapping[name] ?? '')}
                  options={[
                    { value: '', label: 'By its name' },
                    ...categories.map(({ id, name: ours }) => ({ value: String(id), label: ours })),
                  ]}
                />
              </div>
            ))}
          </FormSection>
        ) : null}
        <div className={styles.acts}>
          <Button type="submit" look="primary" name="intent" value="dry-run">
            Dry run
          </Button>
          <Button type="submit" name="intent" value="save">
            Save only
          </Button>
        </div>
      </Form>
    </>
  );
}

/** A column that was chosen before stays a choice, even where this copy of the feed lacks it. */
function columnOptions(columns: string[], chosen: string | undefined) {
  const all = chosen === undefined || columns.includes(chosen) ? columns : [chosen, ...columns];
  return all.map((name) => ({ value: name, label: name }));
}

/** A feed's first rows in its own words; wider than the page, so it scrolls by itself. */
function SampleRows({
  columns,
  rows,
}: {
  columns: readonly string[];
  rows: readonly Record<string, string>[];
}) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- can be scrolled with the keyboard
    <section className={styles.scroll} tabIndex={0} aria-label="Sample rows">
      <table className={styles.samples}>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Object.entries(rows).map(([place, row]) => (
            <tr key={place}>
              {columns.map((name) => (
                <td key={name}>{row[name]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
