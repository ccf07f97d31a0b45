import type { Route } from './+types/outbox-page';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import type { MailState } from '#app/platform/mail/mail-states.ts';
import {
  countOutbox,
  listOutboxPage,
  type OutboxEntry,
} from '#app/platform/mail/outbox-queries.server.ts';
import { mostListed, type OutboxSort, outboxTable } from '#app/platform/mail/outbox-table.ts';
import { readMailEnv } from '#app/features/site-settings/read-mail-env.server.ts';
import { describeMail } from '#app/platform/mail/smtp-transport.server.ts';
import { countSuspensions } from '#app/platform/mail/suspension-queries.server.ts';
import { suspensionTable } from '#app/platform/mail/suspension-table.ts';
import type { Column } from '../frame/data-table.tsx';
import { ListScreen } from '../frame/list-screen.tsx';
import { LoadFailure } from '../frame/load-failure.tsx';
import { optionsOf } from '../frame/options-of.ts';
import { readList } from '../frame/read-list.server.ts';
import { RelativeTime } from '../frame/relative-time.tsx';
import { RowName } from '../frame/row-name.tsx';
import { type PillVariant, StatusPill } from '../frame/status-pill.tsx';
import { titled } from '../frame/titled.ts';
import { stateLabels } from './mail-state-labels.ts';
import { withSubjects } from './read-outbox-mail.server.ts';

export async function loader({ request, context }: Route.LoaderArgs) {
  const viewer = requireRight(context, 'mail.read');
  const mail = await readMailEnv(appServices(context));
  const server = mail.smtp ? describeMail(mail) : null;
  return readList(request, context, {
    spec: outboxTable,
    what: 'mails',
    page: async (db, query) => {
      const page = await listOutboxPage(db, query);
      return { ...page, rows: await withSubjects(context, viewer, page.rows) };
    },
    figures: async (db) => ({
      counts: await countOutbox(db),
      suspended: await countSuspensions(db),
      server,
    }),
  });
}

export const meta = titled('Mail outbox');

const variants: Record<MailState, PillVariant> = {
  queued: 'plain',
  sent: 'good',
  failed: 'bad',
  cancelled: 'plain',
  kept: 'warn',
};

const kindOf = ({ kind, id }: OutboxEntry) => `${kind} #${id}`;
const nameOf = (mail: OutboxEntry) => mail.subject ?? kindOf(mail);
const noteOf = (mail: OutboxEntry) =>
  mail.subject === null ? mail.recipient : `${kindOf(mail)} · ${mail.recipient}`;

export default function OutboxPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData.ok) return <LoadFailure title="Mail outbox" failure={loaderData} />;
  const { counts, suspended, server } = loaderData.figures;
  return (
    <ListScreen
      title="Mail outbox"
      about={
        server === null ? (
          <>
            No email server is configured: emails are kept here and never sent. Links that act for
            their recipient are hidden; to see them, run <code>deals mail show</code> on the server.
          </>
        ) : (
          `Emails are sent by ${server}.`
        )
      }
      spec={outboxTable}
      list={loaderData}
      note={
        loaderData.page.total === mostListed && (
          <p>Only the newest {mostListed.toLocaleString('en-US')} are listed.</p>
        )
      }
      noun={{ one: 'mail', many: 'mails' }}
      nameOf={nameOf}
      stats={[
        ...(['queued', 'sent', 'failed', 'kept'] as const).map((state) => ({
          label: state === 'kept' ? 'Kept' : stateLabels[state],
          value:
            counts[state] > mostListed ? `${mostListed.toLocaleString('en-US')}+` : counts[state],
          href: `${outboxTable.path}?state=${state}`,
        })),
        {
          label: 'Suspended',
          value: suspended.bounce + suspended.complaint,
          href: `${suspensionTable.path}?state=suspended`,
        },
      ]}
      searchLabel="Search by recipient, subject or kind"
      filters={[{ name: 'state', label: 'State', options: optionsOf(stateLabels) }]}
      columns={columnsAt(loaderData.now)}
      empty={{
        icon: 'mail',
        title: 'No emails',
        hint: 'Emails appear here as soon as they are queued.',
      }}
    />
  );
}

function columnsAt(now: Date): Column<OutboxEntry, OutboxSort>[] {
  return [
    {
      label: 'Mail',
      cell: (mail) => (
        <RowName href={`/admin/outbox/${mail.id}`} name={nameOf(mail)} note={noteOf(mail)} />
      ),
    },
    {
      label: 'State',
      cell: (mail) => (
        <StatusPill variant={variants[mail.state]}>{stateLabels[mail.state]}</StatusPill>
      ),
    },
    { label: 'Attempts', sort: 'tries', isNumber: true, cell: (mail) => mail.attempts },
    { label: 'Server response', cell: (mail) => mail.reply ?? mail.last_error ?? '' },
    {
      label: 'Queued',
      sort: 'queued',
      cell: (mail) => <RelativeTime at={mail.created_at} now={now} />,
    },
  ];
}
