import { type PlainColumn, PlainTable } from '#app/admin/frame/plain-table.tsx';
import { RelativeTime } from '#app/admin/frame/relative-time.tsx';
import { type PillVariant, StatusPill } from '#app/admin/frame/status-pill.tsx';
import { channelEventNames } from '#app/features/channels/channel-messages.ts';
import type { ChannelPostEntry } from '#app/features/channels/channel-queries.server.ts';
import type { TablePage } from '#app/platform/table-query.ts';
import { MessagePanel } from '#app/ui/message-panel.tsx';

const states: Record<ChannelPostEntry['state'], [label: string, variant: PillVariant]> = {
  queued: ['Waiting', 'warn'],
  sent: ['Posted', 'good'],
  failed: ['Failed', 'bad'],
  cancelled: ['Canceled', 'plain'],
};

/** The posts of a channel, with the last error of each. */
export function ChannelPosts({
  path,
  page,
  now,
}: {
  path: string;
  page: TablePage<ChannelPostEntry>;
  now: Date;
}) {
  return (
    <section className="column gap-4" aria-labelledby="log">
      <h2 id="log">Log</h2>
      <PlainTable
        noun={{ one: 'post', many: 'posts' }}
        page={page}
        path={path}
        columns={columnsAt(now)}
        idOf={({ id }) => id}
        nameOf={({ key }) => key}
        empty={
          <MessagePanel icon="clock" title="Nothing has been posted yet" level={3}>
            <p>Send a test post to check the connection.</p>
          </MessagePanel>
        }
      />
    </section>
  );
}

function columnsAt(now: Date): PlainColumn<ChannelPostEntry>[] {
  return [
    { label: 'Event', cell: ({ event }) => channelEventNames[event] },
    {
      label: 'Deal',
      cell: ({ deal_id }) => (deal_id === null ? '–' : <a href={`/deals/${deal_id}`}>{deal_id}</a>),
    },
    {
      label: 'State',
      cell: ({ state }) => <StatusPill variant={states[state][1]}>{states[state][0]}</StatusPill>,
    },
    { label: 'Error', cell: ({ last_error }) => last_error ?? '–' },
    { label: 'Attempts', isNumber: true, cell: ({ attempts }) => attempts },
    { label: 'When', cell: ({ created_at }) => <RelativeTime at={created_at} now={now} /> },
  ];
}
