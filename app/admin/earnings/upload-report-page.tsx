import { data } from 'react-router';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { redirectWithFlash } from '#app/admin/frame/flash.server.ts';
import {
  PreviewedFileField,
  PreviewedUploadForm,
} from '#app/admin/frame/previewed-upload-form.tsx';
import { titled } from '#app/admin/frame/titled.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { networkIds, networkOf } from '#app/features/earnings/affiliate-networks.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import { readPost } from '#app/platform/read-post.server.ts';
import { ChoiceField } from '#app/ui/choice-field.tsx';
import { Link } from '#app/ui/link.tsx';
import type { Route } from './+types/upload-report-page';
import { type ReportUploadOutcome, readReportUpload } from './read-report-upload.server.ts';
import { ReportPreviewScreen } from './report-preview.tsx';

export function loader({ context }: Route.LoaderArgs) {
  requireRight(context, 'earnings.write');
  return null;
}

/** Previews a network's report, then imports its sales. */
export async function action({ request, context }: Route.ActionArgs) {
  const user = requireRight(context, 'earnings.write');
  const outcome = await readReportUpload(await readPost(context, request), user.id);
  if (!outcome.ok) return data(outcome, { status: 422 });
  if (!outcome.imported) return data(outcome, { status: outcome.preview.isChanged ? 422 : 200 });
  const { added, changed } = outcome.imported;
  const said =
    added + changed === 0
      ? 'The report changed nothing.'
      : `Report imported: ${countNoun(added, 'new sale')}, ${countNoun(changed, 'changed sale')}.`;
  return redirectWithFlash(context, '/admin/earnings', said);
}

export const meta = titled('Upload report');

export default function UploadReportPage({ actionData }: Route.ComponentProps) {
  return (
    <div className="column gap-8">
      <AdminHeading title="Upload report">
        <Link to="/admin/earnings">Back to earnings</Link>
      </AdminHeading>
      {actionData?.ok ? (
        <ReportPreviewScreen preview={actionData.preview} />
      ) : (
        <UploadForm refused={actionData} />
      )}
    </div>
  );
}

function UploadForm({ refused }: { refused: (ReportUploadOutcome & { ok: false }) | undefined }) {
  return (
    <PreviewedUploadForm
      problem={refused?.message}
      intro="A CSV file of sales that you download from an affiliate network. Reports may overlap: each sale counts once, by its transaction id. You preview the import next."
    >
      <ChoiceField
        name="network"
        label="Network"
        required
        defaultValue={refused?.network ?? ''}
        options={[
          { value: '', label: 'Choose a network' },
          ...networkIds.map((id) => ({ value: id, label: networkOf(id).name })),
        ]}
      />
      <PreviewedFileField label="Report file" />
    </PreviewedUploadForm>
  );
}
