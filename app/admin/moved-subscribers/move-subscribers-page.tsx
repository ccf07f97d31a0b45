import { data, redirect } from 'react-router';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { type PlainColumn, PlainTable } from '#app/admin/frame/plain-table.tsx';
import {
  PreviewedFileField,
  PreviewedUploadForm,
} from '#app/admin/frame/previewed-upload-form.tsx';
import { RelativeTime } from '#app/admin/frame/relative-time.tsx';
import { RowName } from '#app/admin/frame/row-name.tsx';
import { titled } from '#app/admin/frame/titled.ts';
import { receiveMoveFile, type RefusedMove } from '#app/admin/move-in/receive-move-file.server.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { stageSubscribers } from '#app/features/moved-subscribers/stage-subscribers.server.ts';
import {
  listSubscriberMoves,
  type SubscriberMove,
} from '#app/features/moved-subscribers/subscriber-move-queries.server.ts';
import { sumOutcomes } from '#app/features/moved-subscribers/subscriber-outcomes.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { moveStates } from '#app/platform/move-states.ts';
import forms from '#app/ui/form.module.css';
import { Link } from '#app/ui/link.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import type { Route } from './+types/move-subscribers-page';

export async function loader({ context }: Route.LoaderArgs) {
  requireRight(context, 'newsletter.manage');
  const { db, now } = appServices(context);
  return { moves: await listSubscriberMoves(db), now: now() };
}

/** At `/admin/move-in/subscribers/upload` the body is streamed: see `server/upload-body.ts`. */
export async function action({ request, context }: Route.ActionArgs) {
  const user = requireRight(context, 'newsletter.manage');
  if (!new URL(request.url).pathname.startsWith('/admin/move-in/subscribers/upload'))
    return redirect('/admin/move-in/subscribers');
  const services = appServices(context);
  const { db, now } = services;
  const outcome = await receiveMoveFile(services, request, async (source, file) => {
    const { email, status, consent } = file.fields;
    const choices = { email, status, consent };
    const reading = { name: file.name, actor: user.id, limits: file.limits, choices, now: now() };
    return `/admin/move-in/subscribers/${await stageSubscribers(db, source, reading)}`;
  });
  return outcome instanceof Response ? outcome : data(outcome, { status: 422 });
}

export const meta = titled('Move in subscribers');

const columnsOf = (now: Date): PlainColumn<SubscriberMove>[] => [
  {
    label: 'List',
    cell: ({ id, file_name: name, source }) => (
      <RowName href={`/admin/move-in/subscribers/${id}`} name={name} note={source} />
    ),
  },
  { label: 'State', cell: ({ state }) => moveStates[state] },
  { label: 'Subscribed', isNumber: true, cell: ({ counts }) => sumOutcomes(counts).joins },
  { label: 'Uploaded', cell: ({ created_at: at }) => <RelativeTime at={at} now={now} /> },
];

export default function MoveSubscribersPage({ loaderData, actionData }: Route.ComponentProps) {
  const { moves, now } = loaderData;
  return (
    <div className="column gap-8">
      <AdminHeading title="Move in subscribers">
        <Link to="/admin/move-in">Move in</Link>{' '}
        <Link to="/admin/subscriptions">Subscriptions</Link>
      </AdminHeading>
      <UploadForm refused={actionData} />
      {moves.length > 0 ? (
        <section className="column gap-4">
          <h2>Lists</h2>
          <PlainTable
            noun={{ one: 'list', many: 'lists' }}
            page={moves}
            idOf={({ id }) => id}
            nameOf={({ file_name: name }) => name}
            columns={columnsOf(now)}
            empty={null}
          />
        </section>
      ) : null}
    </div>
  );
}

function UploadForm({ refused }: { refused: RefusedMove | undefined }) {
  const { email, status, consent } = refused?.values ?? {};
  return (
    <PreviewedUploadForm
      action="/admin/move-in/subscribers/upload"
      intro="Upload a CSV file (at most 20 MB, gzip allowed) from Mailchimp, MailPoet, Brevo, listmonk or another service. Include unsubscribed and bounced addresses, so that they never get your emails. You see a preview first."
      problem={refused?.message}
    >
      <PreviewedFileField label="Subscriber file" accept=".csv,.tsv,.txt,.gz" />
      <details open={refused !== undefined}>
        <summary>Columns, if they aren’t found</summary>
        <div className={forms.stack}>
          <TextField name="email" label="Email column" defaultValue={email} />
          <TextField name="status" label="Status column" defaultValue={status} />
          <TextField name="consent" label="Consent date column" defaultValue={consent} />
        </div>
      </details>
    </PreviewedUploadForm>
  );
}
