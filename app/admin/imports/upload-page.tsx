import { data } from 'react-router';
import type { Route } from './+types/upload-page';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { listMerchantNames } from '#app/features/feeds/runs/import-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { receiveUpload } from './receive-upload.server.ts';
import { MerchantNames } from './merchant-names.tsx';
import { UploadForm } from './upload-form.tsx';
import styles from './imports.module.css';

export async function loader({ context }: Route.LoaderArgs) {
  requireRight(context, 'feeds.import');
  return { merchants: await listMerchantNames(appServices(context).db, 500) };
}

/** The body streams in here, past the limit of other forms: see `server/upload-body.ts`. */
export async function action({ request, context }: Route.ActionArgs) {
  const user = requireRight(context, 'feeds.import');
  const outcome = await receiveUpload(appServices(context), user.id, request);
  return outcome instanceof Response ? outcome : data(outcome, { status: 422 });
}

export function meta() {
  return [{ title: 'Upload a feed' }];
}

export default function UploadPage({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <div className={styles.page}>
      <AdminHeading title="Upload a feed">
        Next you see its columns, and what it would do.
      </AdminHeading>
      <MerchantNames names={loaderData.merchants} />
      <UploadForm outcome={actionData} />
    </div>
  );
}
