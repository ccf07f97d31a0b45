import { data, Form } from 'react-router';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { redirectWithError, redirectWithFlash } from '#app/admin/frame/flash.server.ts';
import { type PlainColumn, PlainTable } from '#app/admin/frame/plain-table.tsx';
import {
  PreviewedFileField,
  PreviewedUploadForm,
} from '#app/admin/frame/previewed-upload-form.tsx';
import { titled } from '#app/admin/frame/titled.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { describeUndoneRedirects } from '#app/features/catalog/describe-undone-redirects.ts';
import {
  listRedirectImports,
  undoRedirectImport,
} from '#app/features/catalog/redirect-imports.server.ts';
import { redirectTable } from '#app/features/catalog/redirect-table.ts';
import type { RedirectLine } from '#app/features/moved-posts/read-redirect-file.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import { readPost } from '#app/platform/read-post.server.ts';
import { HiddenFields } from '#app/ui/act-form.tsx';
import { Button } from '#app/ui/button.tsx';
import { Link } from '#app/ui/link.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import type { Route } from './+types/upload-redirects-page';
import { RedirectImports } from './redirect-import-list.tsx';
import { readRedirectUpload, type RedirectUploadOutcome } from './read-redirect-upload.server.ts';

const mostShown = 200;
const importsShown = 50;
const list = redirectTable.path;
const here = `${list}/upload`;

export async function loader({ context }: Route.LoaderArgs) {
  requireRight(context, 'catalog.write');
  const { db, now } = appServices(context);
  return { imports: await listRedirectImports(db, importsShown), now: now() };
}

/** Previews a redirect file, imports it, or undoes an import. */
export async function action({ request, context }: Route.ActionArgs) {
  const user = requireRight(context, 'catalog.write');
  const post = await readPost(context, request);
  if (post.intent === 'undo') {
    const undone = await undoRedirectImport(post.db, post.rowId('import') ?? 0, user.id);
    return undone.ok
      ? redirectWithFlash(context, here, describeUndoneRedirects(undone))
      : redirectWithError(context, here, undone.reason);
  }
  const outcome = await readRedirectUpload(post, user.id);
  if (!outcome.ok) return data(outcome, { status: 422 });
  if (post.intent !== 'import') return data(outcome);
  const { lines, imported } = outcome;
  return redirectWithFlash(context, list, `Imported: ${describe(lines)}.`, {
    undo: imported
      ? { label: 'Undo', action: here, fields: { intent: 'undo', import: String(imported.id) } }
      : undefined,
  });
}

export const meta = titled('Upload redirects');

const nouns = { new: 'new redirect', changed: 'changed redirect', same: 'unchanged redirect' };

function describe(lines: RedirectLine[]): string {
  const count = (effect: keyof typeof nouns) => lines.filter((one) => one.effect === effect).length;
  const parts = (['new', 'changed', 'same'] as const).map((one) =>
    countNoun(count(one), nouns[one]),
  );
  const refused = lines.filter(({ effect }) => typeof effect === 'object').length;
  return [...parts, countNoun(refused, 'refused row')].join(', ');
}

export default function UploadRedirectsPage({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <div className="column gap-8">
      <AdminHeading title="Upload redirects">
        <Link to="/admin/redirects">Back to the list</Link>
      </AdminHeading>
      {actionData?.ok ? (
        <Preview outcome={actionData} />
      ) : (
        <>
          <UploadForm refused={actionData} />
          <RedirectImports {...loaderData} />
        </>
      )}
    </div>
  );
}

function UploadForm({ refused }: { refused: { message: string; oldSite: string } | undefined }) {
  return (
    <PreviewedUploadForm
      problem={refused?.message}
      intro={
        <>
          A CSV file with the columns <code>from</code>, <code>to</code> and <code>status</code>{' '}
          (301, 302 or 410; 301 if blank). <code>/old/*</code> redirects everything below /old/, and
          a <code>*</code> in <code>to</code> is the part that matched. Or a file of the WordPress
          plugins Redirection (CSV or JSON), Yoast SEO Premium or Pretty Links (CSV). You preview
          the import next, and can undo it for 30 days.
        </>
      }
    >
      <PreviewedFileField label="Redirect file" accept=".csv,.tsv,.txt,.json" />
      <TextField
        name="old_site"
        label="Old site"
        defaultValue={refused?.oldSite}
        hint="Optional. New addresses on that site become paths on this one."
      />
    </PreviewedUploadForm>
  );
}

const columns: PlainColumn<RedirectLine>[] = [
  { label: 'Line', isNumber: true, cell: ({ line }) => line },
  { label: 'Old address', cell: ({ from }) => from },
  { label: 'New address', cell: ({ to }) => to || 'Gone' },
  { label: 'Kind', isNumber: true, cell: ({ status }) => status },
  { label: 'Effect', cell: ({ effect }) => wordsOf(effect) },
];

function wordsOf(effect: RedirectLine['effect']): string {
  if (typeof effect === 'object') return effect.problem;
  return { new: 'New', changed: 'Changed', same: 'Unchanged' }[effect];
}

function Preview({ outcome }: { outcome: RedirectUploadOutcome & { ok: true } }) {
  const { lines, content, fileName, oldSite } = outcome;
  const refused = lines.filter(({ effect }) => typeof effect === 'object');
  const fine = lines.filter(({ effect }) => typeof effect !== 'object');
  const hasEffect = fine.some(({ effect }) => effect !== 'same');
  return (
    <>
      <section className="column gap-4">
        <h2>Preview</h2>
        <p>{describe(lines)}.</p>
        <Form method="post" encType="multipart/form-data" className="bar gap-4">
          <HiddenFields
            fields={{ intent: 'import', content, file_name: fileName, old_site: oldSite }}
          />
          <Button type="submit" variant="primary" disabled={!hasEffect}>
            Import
          </Button>
          <Link to="/admin/redirects/upload" isDocument>
            Choose another file
          </Link>
        </Form>
      </section>
      {refused.length > 0 ? <Rows title="Refused rows" rows={refused} /> : null}
      {fine.length > 0 ? <Rows title="Redirects" rows={fine} /> : null}
    </>
  );
}

function Rows({ title, rows }: { title: string; rows: RedirectLine[] }) {
  return (
    <section className="column gap-4">
      <h2>{rows.length > mostShown ? `${title} (the first ${mostShown})` : title}</h2>
      <PlainTable
        noun={{ one: 'row', many: 'rows' }}
        page={rows.slice(0, mostShown)}
        idOf={({ line }) => line}
        nameOf={({ line }) => `Line ${line}`}
        columns={columns}
        empty={null}
      />
    </section>
  );
}
