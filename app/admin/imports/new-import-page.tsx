import { data, Form } from 'react-router';
import type { Route } from './+types/new-import-page';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { listMerchantNames } from '#app/features/feeds/runs/import-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { Button } from '#app/ui/button.tsx';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { beginSource } from './begin-source.server.ts';
import { MerchantNames } from './merchant-names.tsx';
import { type NewSourceOutcome, UploadForm } from './upload-form.tsx';
import { ImportMerchantField } from './import-merchant-field.tsx';
import styles from './imports.module.css';

export async function loader({ context }: Route.LoaderArgs) {
  requireRight(context, 'feeds.import');
  return { merchants: await listMerchantNames(appServices(context).db, 500) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const user = requireRight(context, 'feeds.import');
  const form = await readFormBody(request);
  const outcome = await beginSource(appServices(context), user.id, form);
  return outcome instanceof Response ? outcome : data(outcome, { status: 422 });
}

export function meta() {
  return [{ title: 'New import' }];
}

export default function NewImportPage({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <div className={styles.page}>
      <AdminHeading title="New import">
        Where is the feed? Its format is found by itself, and next you see what it would do.
      </AdminHeading>
      <MerchantNames names={loaderData.merchants} />
      <div className={styles.ways}>
        <UploadForm outcome={actionData?.kind === 'upload' ? actionData : undefined} />
        <FetchedForm
          kind="url"
          title="Fetch from an address"
          hint="Of the public internet. It can be fetched again on a schedule, and only when it changed."
          label="Address of the feed"
          outcome={actionData}
        />
        <FetchedForm
          kind="folder"
          title="Watch a folder"
          hint="Where a network delivers by SFTP: a folder below “feeds” in the data folder. The newest whole file counts."
          label="Folder"
          outcome={actionData}
        />
      </div>
    </div>
  );
}

function FetchedForm({
  kind,
  title,
  hint,
  label,
  outcome: all,
}: {
  kind: 'url' | 'folder';
  title: string;
  hint: string;
  label: string;
  outcome: NewSourceOutcome | undefined;
}) {
  const outcome = all?.kind === kind ? all : undefined;
  return (
    <Form method="post" className={styles.card} noValidate>
      <h2>{title}</h2>
      <p>{hint}</p>
      <FormNotice text={outcome?.message} kind="error" />
      <input type="hidden" name="kind" value={kind} />
      <TextField
        name="location"
        label={label}
        required
        inputMode={kind === 'url' ? 'url' : 'text'}
        placeholder={kind === 'url' ? 'https://' : 'awin'}
        autoComplete="off"
        defaultValue={outcome?.values.location}
        error={outcome?.errors?.location}
      />
      <ImportMerchantField outcome={outcome} />
      <Button type="submit" look="primary">
        Look at the feed
      </Button>
    </Form>
  );
}
