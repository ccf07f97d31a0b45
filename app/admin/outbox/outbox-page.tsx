import type { Route } from './+types/outbox-page';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import type { MailState } from '#app/platform/mail/mail-states.ts';
import { mailStates } from '#app/platform/mail/mail-states.ts';
import {
  countOutbox,
  listOutboxPage,
  type OutboxEntry,
} from '#app/platform/mail/outbox-queries.server.ts';
import { type OutboxSort, outboxTable } from '#app/platform/mail/outbox-table.ts';
import { describeMail } from '#app/platform/mail/smtp-transport.server.ts';
import { isFiltered, parseTableQuery } from '#app/platform/table-query.ts';
import { AdminHeading } from '../frame/admin-heading.tsx';
import { type Column, DataTable } from '../frame/data-table.tsx';
import { EmptyTable } from '../frame/empty-table.tsx';
import { LoadFailure } from '../frame/load-failure.tsx';
import { readOrSay } from '../frame/read-or-say.server.ts';
import { RelativeTime } from '../frame/relative-time.tsx';
import { RowName } from '../frame/row-name.tsx';
import { StatCards } from '../frame/stat-cards.tsx';
import { type PillLook, StatusPill } from '../frame/status-pill.tsx';
import { TableFilters } from '../frame/table-filters.tsx';
import { stateLabels } from './mail-state-labels.ts';

export function loader({ request, context }: Route.LoaderArgs) {
  requireRight(context, 'mail.read');
  const { db, env, now } = appServices(context);
  const query = parseTableQuery(outboxTable, new URL(request.url).searchParams);
  const server = env.mail.smtp ? describeMail(env.mail) : null;
  return readOrSay(context, 'mails', async () => {
    const [page, counts] = await Promise.all([listOutboxPage(db, query), countOutbox(db)]);
    return { query, page, counts, server, now: now() };
  });
}

export function meta() {
  return [{ title: 'Mail outbox' }];
}

const looks: Record<MailState, PillLook> = {
  queued: 'plain',
  sent: 'good',
  failed: 'bad',
  cancelled: 'plain',
  kept: 'warn',
};
const viewOf = (state: MailState) => `${outboxTable.path}?state=${state}`;

export default function OutboxPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData.ok) return <LoadFailure title="Mail outbox" failure={loaderData} />;
  const { query, page, counts, server, now } = loaderData;
  return (
    <>
      <AdminHeading title="Mail outbox">
        {server === null ? (
          <>
            No mail server is configured: mails are kept here and leave nobody’s machine. Links that
            act for their recipient are not shown in a browser; <code>deals mail show</code>, run on
            the machine, prints a mail with them.
          </>
        ) : (
          `Mails leave by ${server}.`
        )}
      </AdminHeading>
      <StatCards
        stats={(['queued', 'sent', 'failed', 'kept'] as const).map((state) => ({
          label: state === 'kept' ? 'Kept' : stateLabels[state],
          value: counts[state],
          href: viewOf(state),
        }))}
      />
      <TableFilters
        spec={outboxTable}
        query={query}
        searchLabel="Search by recipient or kind"
        filters={[
          {
            name: 'state',
            label: 'State',
            options: mailStates.map((state) => ({ value: state, label: stateLabels[state] })),
          },
        ]}
      />
      <DataTable
        noun={{ one: 'mail', many: 'mails' }}
        spec={outboxTable}
        query={query}
        page={page}
        columns={columnsAt(now)}
        idOf={(mail) => mail.id}
        nameOf={(mail) => `${mail.kind} #${mail.id}`}
        empty={
          <EmptyTable
            icon="mail"
            title="No mails"
            isFiltered={isFiltered(query)}
            path={outboxTable.path}
            hint="Mails appear here the moment something causes one."
          />
        }
      />
    </>
  );
}

function columnsAt(now: Date): Column<OutboxEntry, OutboxSort>[] {
  return [
    {
      label: 'Mail',
      cell: (mail) => (
        <RowName
          href={`/admin/outbox/${mail.id}`}
          name={`${mail.kind} #${mail.id}`}
          note={mail.recipient}
        />
      ),
    },
    {
      label: 'State',
      cell: (mail) => <StatusPill look={looks[mail.state]}>{stateLabels[mail.state]}</StatusPill>,
    },
    { label: 'Tries', sort: 'tries', isNumber: true, cell: (mail) => mail.attempts },
    { label: 'The server’s words', cell: (mail) => mail.reply ?? mail.last_error ?? '' },
    {
      label: 'Queued',
      sort: 'queued',
      cell: (mail) => <RelativeTime at={mail.created_at} now={now} />,
    },
  ];
}
