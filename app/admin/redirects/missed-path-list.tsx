import { type PlainColumn, PlainTable } from '#app/admin/frame/plain-table.tsx';
import { RelativeTime } from '#app/admin/frame/relative-time.tsx';
import type { MissedPath } from '#app/features/catalog/missed-paths.server.ts';
import { Link } from '#app/ui/link.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';

/** Requested URLs without a page, each with a link to redirect it. */
export function MissedPaths({ missed, now }: { missed: MissedPath[]; now: Date }) {
  return (
    <section className="column gap-4" aria-labelledby="missed">
      <h2 id="missed">Addresses without a page</h2>
      <PlainTable
        page={missed}
        noun={{ one: 'address', many: 'addresses' }}
        columns={columnsOf(now)}
        idOf={({ path }) => path}
        nameOf={({ path }) => path}
        empty={
          <MessagePanel icon="search" title="No addresses without a page">
            An address appears here when three visitors opened it in the last two weeks.
          </MessagePanel>
        }
      />
    </section>
  );
}

function columnsOf(now: Date): PlainColumn<MissedPath>[] {
  return [
    { label: 'Address', cell: ({ path }) => path },
    { label: 'Visitors', cell: ({ visitors }) => visitors.toLocaleString('en-US') },
    { label: 'Last', cell: ({ missed_at: last }) => <RelativeTime at={last} now={now} /> },
    {
      label: 'Action',
      cell: ({ path }) => (
        <Link
          to={`/admin/redirects/new?${new URLSearchParams({ from: path })}`}
          aria-label={`Redirect ${path}`}
        >
          Redirect…
        </Link>
      ),
    },
  ];
}
