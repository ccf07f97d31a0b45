import { data } from 'react-router';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { redirectWithFlash } from '#app/admin/frame/flash.server.ts';
import {
  PreviewedFileField,
  PreviewedUploadForm,
} from '#app/admin/frame/previewed-upload-form.tsx';
import { titled } from '#app/admin/frame/titled.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { describeCouponImport } from '#app/features/coupons/describe-coupon-import.ts';
import { readPost } from '#app/platform/read-post.server.ts';
import { CheckField } from '#app/ui/check-field.tsx';
import { Link } from '#app/ui/link.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import type { Route } from './+types/upload-coupons-page';
import { CouponPreview } from './coupon-preview.tsx';
import { type CouponUploadOutcome, readCouponUpload } from './read-coupon-upload.server.ts';
import styles from './upload-coupons-page.module.css';

export function loader({ context }: Route.LoaderArgs) {
  requireRight(context, 'catalog.write');
  return null;
}

/** Previews a list of coupons, then imports it. */
export async function action({ request, context }: Route.ActionArgs) {
  const user = requireRight(context, 'catalog.write');
  const post = await readPost(context, request);
  const outcome = await readCouponUpload(post, user.id);
  if (!outcome.ok) return data(outcome, { status: 422 });
  if (post.intent !== 'import') return data(outcome);
  const told = describeCouponImport(outcome.report).join('. ');
  return redirectWithFlash(
    context,
    '/admin/coupons',
    `Imported “${outcome.upload.list}”: ${told}.`,
  );
}

export const meta = titled('Upload coupons');

export default function UploadCouponsPage({ actionData }: Route.ComponentProps) {
  return (
    <div className={styles.page}>
      <AdminHeading title="Upload coupons">
        <Link to="/admin/coupons">Back to the list</Link>
      </AdminHeading>
      {actionData?.ok ? (
        <CouponPreview outcome={actionData} />
      ) : (
        <UploadForm refused={actionData} />
      )}
    </div>
  );
}

function UploadForm({ refused }: { refused: (CouponUploadOutcome & { ok: false }) | undefined }) {
  const upload = refused?.upload;
  return (
    <PreviewedUploadForm
      problem={refused?.message}
      intro={
        <>
          A CSV, JSON or XML file of coupon codes, as LinkMyDeals, Awin, CJ and other networks
          export it. Coupons without a code are left out. You preview the import next. To fetch a
          list on a schedule, <Link to="/admin/imports/new">add it as a feed</Link>.
        </>
      }
    >
      <PreviewedFileField label="Coupon file" accept=".csv,.tsv,.txt,.json,.jsonl,.xml" />
      <TextField
        name="list"
        label="List name"
        defaultValue={upload?.list}
        maxLength={200}
        hint="The next import of this list ends the coupons that the list no longer contains. Leave blank to use the file’s name."
      />
      <TextField
        name="store"
        label="Merchant"
        defaultValue={upload?.store}
        maxLength={100}
        hint="For rows that name no merchant."
      />
      <CheckField
        name="adds_stores"
        label="Add missing merchants"
        defaultChecked={upload?.addsStores ?? false}
        hint="Otherwise, rows of unknown merchants are rejected."
      />
    </PreviewedUploadForm>
  );
}
