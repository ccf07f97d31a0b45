import type { Route } from './+types/suspended-addresses-page';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { countChanged } from '#app/platform/count-changed.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import { liftSuspensions } from '#app/platform/mail/lift-suspensions.server.ts';
import {
  countSuspensions,
  listSuspensions,
  type SuspensionRow,
} from '#app/platform/mail/suspension-queries.server.ts';
import {
  reasonLabels,
  type SuspensionSort,
  suspensionTable,
} from '#app/platform/mail/suspension-table.ts';
import { PostButton } from '#app/ui/act-form.tsx';
import { Link } from '#app/ui/link.tsx';
import { actOnRows } from '../frame/act-on-rows.server.ts';
import type { Column } from '../frame/data-table.tsx';
import { ListScreen } from '../frame/list-screen.tsx';
import { LoadFailure } from '../frame/load-failure.tsx';
import { optionsOf } from '../frame/options-of.ts';
import { readList } from '../frame/read-list.server.ts';
import { RelativeTime } from '../frame/relative-time.tsx';
import { StatusPill } from '../frame/status-pill.tsx';
import { titled } from '../frame/titled.ts';

const title = 'Suspended addresses';

export function loader({ request, context }: Route.LoaderArgs) {
  requireRight(context, 'mail.read');
  return readList(request, context, {
    spec: suspensionTable,
    what: 'suspended addresses',
    page: listSuspensions,
    figures: countSuspensions,
  });
}

export function action({ request, context }: Route.ActionArgs) {
  requireRight(context, 'mail.retry');
  return actOnRows(request, context, {
    spec: suspensionTable,
    verbs: [
      {
        verb: 'lift',
        done: 'Newsletters and alerts to this address are resumed.',
        failed: 'This address is no longer suspended.',
      },
    ],
    change: (db, { actor }, choice) => liftSuspensions(db, actor, choice),
    words: {
      changedMany: (_verb, changed) =>
        `Newsletters and alerts to ${countNoun(changed, 'address', 'addresses')} are resumed.`,
      countChanged: countChanged('addresses'),
      nothingSelected: 'Select at least one suspended address first.',
    },
  });
}

export const meta = titled(title);

const sourceLabels: Record<SuspensionRow['source'], string> = {
  'move-in': 'An uploaded list of subscribers',
  smtp: 'Mail server',
  mailbox: 'Bounce mailbox',
  json: 'Webhook',
  ses: 'Amazon SES',
  sendgrid: 'SendGrid',
  mailgun: 'Mailgun',
};
const viewOf = (reason: string) => `${suspensionTable.path}?state=suspended&reason=${reason}`;

export default function SuspendedAddressesPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData.ok) return <LoadFailure title={title} failure={loaderData} />;
  const { bounce, complaint } = loaderData.figures;
  return (
    <ListScreen
      title={title}
      about="Emails to these addresses bounced or were reported as spam. They get no newsletters and alerts, but still get emails about their account."
      spec={suspensionTable}
      list={loaderData}
      noun={{ one: 'address', many: 'addresses' }}
      nameOf={({ recipient }) => recipient}
      stats={[
        { label: reasonLabels.bounce, value: bounce, href: viewOf('bounce') },
        { label: reasonLabels.complaint, value: complaint, href: viewOf('complaint') },
      ]}
      searchLabel="Search by address"
      filters={[
        {
          name: 'state',
          label: 'State',
          options: optionsOf({ suspended: 'Suspended', lifted: 'Lifted' }),
        },
        { name: 'reason', label: 'Reason', options: optionsOf(reasonLabels) },
      ]}
      columns={columnsAt(loaderData.now)}
      bulk={{ verbs: [{ value: 'lift', label: 'Lift suspensions' }] }}
      empty={{
        icon: 'mail',
        title: 'No suspended addresses',
        hint: 'Addresses appear here when emails to them bounce or are reported as spam.',
      }}
    />
  );
}

function columnsAt(now: Date): Column<SuspensionRow, SuspensionSort>[] {
  return [
    { label: 'Address', cell: ({ recipient }) => recipient },
    {
      label: 'Reason',
      cell: ({ reason, lifted_at }) => (
        <StatusPill variant={lifted_at ? 'plain' : reason === 'complaint' ? 'bad' : 'warn'}>
          {reasonLabels[reason]}
        </StatusPill>
      ),
    },
    {
      label: 'Report',
      cell: ({ diagnostic, source, mail_id }) => (
        <>
          {sourceLabels[source]}
          {diagnostic && `: ${diagnostic}`}{' '}
          {mail_id && <Link to={`/admin/outbox/${mail_id}`}>Mail #{mail_id}</Link>}
        </>
      ),
    },
    { label: 'Since', sort: 'since', cell: ({ since }) => <RelativeTime at={since} now={now} /> },
    {
      label: 'State',
      cell: ({ id, recipient, lifted_at, lifted_by }) =>
        lifted_at ? (
          <>
            Lifted <RelativeTime at={lifted_at} now={now} />
            {lifted_by && (
              <>
                {' by '}
                <Link to={`/admin/audit?entity=suspended_address&id=${id}`}>staff</Link>
              </>
            )}
          </>
        ) : (
          <PostButton fields={{ intent: 'lift', id }} aria-label={`Lift ${recipient}`}>
            Lift
          </PostButton>
        ),
    },
  ];
}
