import { LoadFailure } from '#app/admin/frame/load-failure.tsx';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { type PlainColumn, PlainTable } from '#app/admin/frame/plain-table.tsx';
import { readOrFail } from '#app/admin/frame/read-or-fail.server.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import {
  channelKindNames,
  channelWords,
  isChannelKind,
} from '#app/features/channels/channel-fields.ts';
import { channelEventNames } from '#app/features/channels/channel-messages.ts';
import {
  type ChannelSummary,
  listChannels,
} from '#app/features/channels/channel-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { Link } from '#app/ui/link.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import type { Route } from './+types/channels-page';
import { ChannelState } from './channel-state.tsx';

export function loader({ context }: Route.LoaderArgs) {
  requireRight(context, 'api.manage');
  const { db } = appServices(context);
  return readOrFail(context, 'channels', async () => ({ channels: await listChannels(db) }));
}

export const meta = () => [{ title: 'Channels' }];

const columns: PlainColumn<ChannelSummary>[] = [
  {
    label: 'Name',
    cell: ({ id, name }) => (
      <Link to={`/admin/channels/${id}`} data-key-open className="anywhere">
        {name}
      </Link>
    ),
  },
  {
    label: 'Kind',
    cell: ({ kind }) => (isChannelKind(kind) ? channelWords[kind].label : kind),
  },
  {
    label: 'Posts',
    cell: ({ events }) => events.map((event) => channelEventNames[event]).join(', '),
  },
  { label: 'State', cell: (channel) => <ChannelState channel={channel} /> },
  { label: 'Last error', cell: ({ last_error }) => last_error ?? '–' },
];

export default function ChannelsPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData.ok) return <LoadFailure title="Channels" failure={loaderData} />;
  return (
    <div className="column gap-8">
      <AdminHeading title="Channels">
        Post deals to your own chats and feeds. Posts name the price, its evidence and the deal’s
        page.
      </AdminHeading>
      <section className="column gap-4" aria-labelledby="add">
        <h2 id="add">Add a channel</h2>
        <p className="row gap-3">
          {channelKindNames.map((kind) => (
            <Link key={kind} to={`/admin/channels/new?kind=${kind}`}>
              {channelWords[kind].label}
            </Link>
          ))}
        </p>
      </section>
      <PlainTable
        noun={{ one: 'channel', many: 'channels' }}
        page={loaderData.channels}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        empty={
          <MessagePanel icon="bell" title="No channels yet" level={2}>
            <p>Choose a kind above.</p>
          </MessagePanel>
        }
      />
    </div>
  );
}
