import { data, Form, redirect } from 'react-router';
import type { Route } from './+types/source-page';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { ConfirmAct } from '#app/admin/frame/confirm-act.tsx';
import { EditForm } from '#app/admin/frame/edit-form.tsx';
import { redirectWithFlash } from '#app/admin/frame/flash.server.ts';
import { type FormOutcome, typedValues } from '#app/admin/frame/form-outcome.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { feedSourceInput } from '#app/features/feeds/sources/feed-source-input.ts';
import { findFeedSource } from '#app/features/feeds/sources/feed-source-queries.server.ts';
import { listImportRuns } from '#app/features/feeds/runs/import-log-queries.server.ts';
import { listCategoryNames } from '#app/features/feeds/runs/import-queries.server.ts';
import {
  deleteFeedSource,
  saveFeedSource,
} from '#app/features/feeds/sources/save-feed-source.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { parseTableQuery } from '#app/platform/table-query.ts';
import { Button } from '#app/ui/button.tsx';
import { lookAtSource } from './begin-source.server.ts';
import { fieldErrors } from '#app/platform/input-fields.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { runsSpec, RunsTable, toPage } from './runs-table.tsx';
import { sourceLabels, SourceFields, storedSource } from './source-fields.tsx';
import { UploadForm } from './upload-form.tsx';
import styles from './imports.module.css';

const limit = 10;

export async function loader({ request, params, context }: Route.LoaderArgs) {
  requireRight(context, 'feeds.import');
  const { db, now } = appServices(context);
  const id = parseRowId(params.id);
  const source = id === null ? null : await findFeedSource(db, id);
  if (!source) throw new Response(null, { status: 404 });
  const query = parseTableQuery(runsSpec, new URL(request.url).searchParams);
  const offset = (query.page - 1) * limit;
  const [categories, runs] = await Promise.all([
    listCategoryNames(db),
    listImportRuns(db, { limit, offset, sourceId: source.id }),
  ]);
  return {
    id: source.id,
    name: source.name,
    kind: source.kind,
    stored: storedSource(source),
    categories: categories.map((category) => ({
      value: String(category.id),
      label: category.name,
    })),
    query,
    runs: toPage(runs, query.page, limit),
    now: now(),
  };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const user = requireRight(context, 'feeds.import');
  const { db } = appServices(context);
  const id = parseRowId(params.id);
  const source = id === null ? null : await findFeedSource(db, id);
  if (!source) throw new Response(null, { status: 404 });
  const form = await readFormBody(request);
  if (form.get('intent') === 'delete') {
    await deleteFeedSource(db, user.id, source.id);
    return redirectWithFlash(context, '/admin/imports', 'Source deleted. Its deals stay.');
  }
  if (form.get('intent') === 'look') {
    const looked = await lookAtSource(appServices(context), source.id, source);
    if (looked.ok) return redirect(looked.href);
    const here = `/admin/imports/sources/${source.id}`;
    return redirectWithFlash(context, here, looked.reason, { kind: 'error' });
  }
  const values = typedValues(form);
  const read = feedSourceInput.safeParse({ ...values, kind: source.kind });
  if (!read.success) {
    const refused: FormOutcome = { ok: false, values, errors: fieldErrors(read.error) };
    return data(refused, { status: 422 });
  }
  await saveFeedSource(db, user.id, read.data, source.id);
  return redirectWithFlash(context, `/admin/imports/sources/${source.id}`, 'Source saved.');
}

export function meta() {
  return [{ title: 'Source of a feed' }];
}

export default function SourcePage({ loaderData, actionData }: Route.ComponentProps) {
  const { id, name, kind, stored, categories, runs, query, now } = loaderData;
  return (
    <div className={styles.page}>
      <AdminHeading
        title={name}
        more={
          <>
            {kind === 'upload' ? null : (
              <Form method="post">
                <input type="hidden" name="intent" value="look" />
                <Button type="submit">Look at the feed</Button>
              </Form>
            )}
            <ConfirmAct
              label="Delete"
              question="Delete this source?"
              detail={<p>{name}. Its deals and the log of its runs stay.</p>}
              confirmLabel="Delete"
              fields={{ intent: 'delete' }}
            />
          </>
        }
      >
        A feed, and how it is read.
      </AdminHeading>
      {kind === 'upload' ? <UploadForm outcome={undefined} sourceId={id} /> : null}
      <EditForm
        key={JSON.stringify(stored)}
        stored={stored}
        outcome={actionData}
        errorTitle="Error saving source"
        labels={sourceLabels}
        submitLabel="Save source"
        cancelHref="/admin/imports"
      >
        {(fields) => <SourceFields fields={fields} kind={kind} categories={categories} />}
      </EditForm>
      <section className={styles.part} aria-labelledby="runs">
        <h2 id="runs">Runs</h2>
        <RunsTable page={runs} query={query} now={now} path={`/admin/imports/sources/${id}`} />
      </section>
    </div>
  );
}
