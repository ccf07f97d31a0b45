import { useMay } from '#app/admin/frame/may-change.ts';
import { type PlainColumn, PlainTable } from '#app/admin/frame/plain-table.tsx';
import { RelativeTime } from '#app/admin/frame/relative-time.tsx';
import type { ProductRequest } from '#app/features/search/product-requests.server.ts';
import { PostButton } from '#app/ui/act-form.tsx';
import { ButtonLink } from '#app/ui/button.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';

/** Products that visitors of the price check asked for, each with a link to create its deal. */
export function ProductRequests({ requests, now }: { requests: ProductRequest[]; now: Date }) {
  const mayChange = useMay('catalog.write');
  return (
    <section className="column gap-4" aria-labelledby="requests">
      <h2 id="requests">Products that visitors asked for</h2>
      <PlainTable
        page={requests}
        noun={{ one: 'product', many: 'products' }}
        columns={mayChange ? [...columnsOf(now), action] : columnsOf(now)}
        idOf={({ id }) => id}
        nameOf={nameOf}
        empty={
          <MessagePanel icon="search" title="No requested products">
            Visitors can request a product when the price check finds no deal. Their requests appear
            here.
          </MessagePanel>
        }
      />
    </section>
  );
}

function nameOf({ title, url }: ProductRequest): string {
  return title || url;
}

function columnsOf(now: Date): PlainColumn<ProductRequest>[] {
  return [
    {
      label: 'Product',
      cell: (request) => (
        <a className="anywhere" href={request.url} target="_blank" rel="noreferrer nofollow">
          {nameOf(request)}
        </a>
      ),
    },
    { label: 'Store', cell: ({ url }) => new URL(url).host.replace(/^www\./, '') },
    { label: 'Visitors', cell: ({ visitors }) => visitors.toLocaleString('en-US') },
    { label: 'Last', cell: ({ requested_at: last }) => <RelativeTime at={last} now={now} /> },
  ];
}

const action: PlainColumn<ProductRequest> = {
  label: 'Action',
  cell: (request) => (
    <div className="bar gap-2">
      <ButtonLink
        to={`/admin/deals/new?request=${request.id}`}
        aria-label={`Create deal for ${nameOf(request)}`}
      >
        Create deal
      </ButtonLink>
      <PostButton
        fields={{ intent: 'dismiss-request', id: request.id }}
        aria-label={`Dismiss ${nameOf(request)}`}
      >
        Dismiss
      </PostButton>
    </div>
  ),
};
