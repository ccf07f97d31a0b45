import { data, redirect } from 'react-router';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { type PlainColumn, PlainTable } from '#app/admin/frame/plain-table.tsx';
import { RelativeTime } from '#app/admin/frame/relative-time.tsx';
import { RowName } from '#app/admin/frame/row-name.tsx';
import { titled } from '#app/admin/frame/titled.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import {
  listPriceMoves,
  type PriceMove,
} from '#app/features/moved-prices/price-move-queries.server.ts';
import { priceMoveStates } from '#app/features/moved-prices/price-outcomes.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { Button } from '#app/ui/button.tsx';
import forms from '#app/ui/form.module.css';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { Link } from '#app/ui/link.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import type { Route } from './+types/move-prices-page';
import { receivePrices, type RefusedPrices } from './receive-prices.server.ts';

export async function loader({ context }: Route.LoaderArgs) {
  requireRight(context, 'catalog.write');
  const { db, now } = appServices(context);
  return { moves: await listPriceMoves(db), now: now() };
}

/** At `/admin/move-in/price-histories/upload` the body is streamed: see `server/upload-body.ts`. */
export async function action({ request, context }: Route.ActionArgs) {
  const user = requireRight(context, 'catalog.write');
  if (!new URL(request.url).pathname.startsWith('/admin/move-in/price-histories/upload'))
    return redirect('/admin/move-in/price-histories');
  const outcome = await receivePrices(appServices(context), user.id, request);
  return outcome instanceof Response ? outcome : data(outcome, { status: 422 });
}

export const meta = titled('Move in price histories');

const columnsOf = (now: Date): PlainColumn<PriceMove>[] => [
  {
    label: 'File',
    cell: ({ id, file_name: name, source }) => (
      <RowName href={`/admin/move-in/price-histories/${id}`} name={name} note={source} />
    ),
  },
  { label: 'State', cell: ({ state }) => priceMoveStates[state] },
  {
    label: 'Prices',
    isNumber: true,
    cell: ({ counts }) => (counts.taken ?? 0).toLocaleString('en-US'),
  },
  { label: 'Uploaded', cell: ({ created_at: at }) => <RelativeTime at={at} now={now} /> },
];

export default function MovePricesPage({ loaderData, actionData }: Route.ComponentProps) {
  const { moves, now } = loaderData;
  return (
    <div className="column gap-8">
      <AdminHeading title="Move in price histories">
        <Link to="/admin/move-in">Move in</Link> <Link to="/admin/deals">Deals</Link>
      </AdminHeading>
      <UploadForm refused={actionData} />
      {moves.length > 0 ? (
        <section className="column gap-4">
          <h2>Files</h2>
          <PlainTable
            noun={{ one: 'file', many: 'files' }}
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

function UploadForm({ refused }: { refused: RefusedPrices | undefined }) {
  const { source, deal, date, price } = refused?.values ?? {};
  return (
    <form
      method="post"
      action="/admin/move-in/price-histories/upload"
      encType="multipart/form-data"
      className={forms.stack}
      noValidate
    >
      <p>
        Upload a CSV file with a deal, a date and a price in each row. A deal is named by its id,
        slug, page, GTIN, SKU or product link; a column with the store decides between several. You
        see a preview first. At most 20 MB, also as gzip.
      </p>
      <p>
        Charts show these prices separately, as “not seen by us”. Only prices from before our own
        log of a deal are moved in, and they never count for lows, discounts or alerts.
      </p>
      <FormNotice text={refused?.message} kind="error" />
      <label className="stack gap-tight strong">
        File of prices
        <input type="file" name="file" accept=".csv,.tsv,.txt,.gz" required />
      </label>
      <TextField
        name="source"
        label="Source of the prices"
        defaultValue={source}
        maxLength={60}
        hint="Shown on charts, such as “CamelCamelCamel”. A column named “source” comes first."
      />
      <details open={refused !== undefined}>
        <summary>Columns, if they aren’t found</summary>
        <div className={forms.stack}>
          <TextField name="deal" label="Column of the deal" defaultValue={deal} />
          <TextField name="date" label="Column of the date" defaultValue={date} />
          <TextField name="price" label="Column of the price" defaultValue={price} />
        </div>
      </details>
      <div className={forms.actions}>
        <Button type="submit" variant="primary">
          Continue
        </Button>
      </div>
    </form>
  );
}
