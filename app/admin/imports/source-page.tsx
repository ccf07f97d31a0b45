import type { Route } from './+types/source-page';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { ConfirmAct } from '#app/admin/frame/confirm-act.tsx';
import { EditForm } from '#app/admin/frame/edit-form.tsx';
import { redirectWithFlash } from '#app/admin/frame/flash.server.ts';
import { refuseForm, typedValues } from '#app/admin/frame/form-outcome.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { formatChoices } from '#app/features/feeds/formats/feed-formats.server.ts';
import { feedSourceInput } from '#app/features/feeds/sources/feed-source-input.ts';
import { mustTypeAgain, secretFields } from '#app/features/feeds/sources/feed-sign-in.server.ts';
import { findFeedSource } from '#app/features/feeds/sources/feed-source-queries.server.ts';
import { listImportRuns } from '#app/features/feeds/runs/import-log-queries.server.ts';
import { listCategoryNames } from '#app/features/feeds/runs/import-queries.server.ts';
import {
  deleteFeedSource,
  saveFeedSource,
} from '#app/features/feeds/sources/save-feed-source.server.ts';
import { otherCurrency } from '#app/features/feeds/sources/other-currency.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { askedRow } from '#app/platform/asked-row.server.ts';
import { fieldErrors } from '#app/platform/input-fields.ts';
import { readPost } from '#app/platform/read-post.server.ts';
import { PostButton } from '#app/ui/act-form.tsx';
import { DeletionDetail } from '../frame/deletion-detail.tsx';
import { FieldGroups } from '../frame/field-groups.tsx';
import { readPlainPage } from '../frame/plain-table.tsx';
import { UploadForm } from './new-source-forms.tsx';
import { inspectSource } from './new-source.server.ts';
import { RunsTable } from './run-tables.tsx';
import { type StoredSignIn, sourceGroups, sourceLabels, storedSource } from './source-fields.ts';
import styles from './imports.module.css';

export async function loader({ request, params, context }: Route.LoaderArgs) {
  requireRight(context, 'feeds.import');
  const { db, now } = appServices(context);
  const source = await askedRow(db, params.id, findFeedSource);
  const { id, name, kind, content } = source;
  const [categories, runs] = await Promise.all([
    listCategoryNames(db),
    readPlainPage(request, (cut) => listImportRuns(db, { ...cut, sourceId: id })),
  ]);
  const formats = formatChoices();
  const signIn: StoredSignIn = { kind: source.secret_kind, hostKey: source.host_key };
  const stored = storedSource(source);
  return { id, name, kind, content, signIn, stored, categories, formats, runs, now: now() };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const user = requireRight(context, 'feeds.import');
  const source = await askedRow(appServices(context).db, params.id, findFeedSource);
  const { services, db, form, intent } = await readPost(context, request);
  const here = `/admin/imports/sources/${source.id}`;
  if (intent === 'delete') {
    await deleteFeedSource(db, user.id, source.id);
    return redirectWithFlash(context, '/admin/imports', 'Source deleted. Its deals stay.');
  }
  if (intent === 'look') {
    const looked = await inspectSource(services, user.id, source);
    if (looked instanceof Response) return looked;
    return redirectWithFlash(context, here, looked.reason, { kind: 'error' });
  }
  const typed = typedValues(form);
  const read = feedSourceInput.safeParse({ ...typed, kind: source.kind });
  const values = { ...typed, ...Object.fromEntries(secretFields.map((name) => [name, ''])) };
  if (!read.success) {
    return refuseForm({ values, errors: fieldErrors(read.error) });
  }
  if (mustTypeAgain(source, read.data)) {
    const words = 'The server has changed: type the password, token or key again, or forget it';
    return refuseForm({ values, errors: { location: words } });
  }
  const { currency } = await readSiteSettings(db);
  if (read.data.currency !== null && read.data.currency !== currency) {
    return refuseForm({ values, errors: { currency: otherCurrency(currency) } });
  }
  await saveFeedSource(db, user.id, read.data, source.id);
  return redirectWithFlash(context, here, 'Source saved.');
}

export const meta = () => [{ title: 'Feed source' }];

export default function SourcePage({ loaderData, actionData }: Route.ComponentProps) {
  const { id, name, kind, content, signIn, stored, categories, formats, runs, now } = loaderData;
  return (
    <div className={styles.page}>
      <AdminHeading
        title={name}
        more={
          <>
            {kind === 'upload' ? null : (
              <PostButton fields={{ intent: 'look' }}>
                {content === 'coupons' ? 'Preview import' : 'Match columns'}
              </PostButton>
            )}
            <ConfirmAct
              label="Delete"
              question="Delete this source?"
              detail={<DeletionDetail name={`${name}. Its deals and run log are kept.`} />}
              confirmLabel="Delete"
              fields={{ intent: 'delete' }}
            />
          </>
        }
      >
        Where the feed comes from and how it is read.
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
        {(fields) => (
          <FieldGroups
            groups={sourceGroups(kind, signIn, categories, formats)}
            labels={sourceLabels}
            fields={fields}
          />
        )}
      </EditForm>
      <section className={styles.part} aria-labelledby="runs">
        <h2 id="runs">Runs</h2>
        <RunsTable page={runs} now={now} path={`/admin/imports/sources/${id}`} />
      </section>
    </div>
  );
}
