import { data } from 'react-router';
import type { Route } from './+types/new-import-page';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { listMerchantNames } from '#app/features/feeds/runs/import-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { readPost } from '#app/platform/read-post.server.ts';
import { Suggestions } from '../frame/field-groups.tsx';
import { FetchedForm, UploadForm } from './new-source-forms.tsx';
import { beginSource, receiveUpload } from './new-source.server.ts';
import styles from './imports.module.css';

export async function loader({ context }: Route.LoaderArgs) {
  requireRight(context, 'feeds.import');
  return { merchants: await listMerchantNames(appServices(context).db, 500) };
}

/**
 * At `/admin/imports/upload` the body is streamed, without the size limit of other forms: see
 * `server/upload-body.ts`.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const user = requireRight(context, 'feeds.import');
  const outcome = new URL(request.url).pathname.startsWith('/admin/imports/upload')
    ? await receiveUpload(appServices(context), user.id, request)
    : await beginSource(await readPost(context, request), user.id);
  return outcome instanceof Response ? outcome : data(outcome, { status: 422 });
}

export const meta = () => [{ title: 'New import' }];

export default function NewImportPage({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <div className={styles.page}>
      <AdminHeading title="New import">
        Where is the feed? Its format is detected, and you preview the import next.
      </AdminHeading>
      <Suggestions list="merchants" values={loaderData.merchants} />
      <div className={styles.ways}>
        <UploadForm outcome={actionData?.kind === 'upload' ? actionData : undefined} />
        <FetchedForm kind="url" outcome={actionData} />
        <FetchedForm kind="folder" outcome={actionData} />
      </div>
    </div>
  );
}
