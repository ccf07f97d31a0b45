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
import { stagePrices } from '#app/features/moved-prices/stage-prices.server.ts';
import { moveStates } from '#app/platform/move-states.ts';
import { receiveMoveFile, type RefusedMove } from '#app/admin/move-in/receive-move-file.server.ts';
import {
  PreviewedFileField,
  PreviewedUploadForm,
} from '#app/admin/frame/previewed-upload-form.tsx';
import { appServices } from '#app/platform/app-context.server.ts';
import forms from '#app/ui/form.module.css';
import { Link } from '#app/ui/link.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import type { Route } from './+types/move-prices-page';

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
  const services = appServices(context);
  const outcome = await receiveMoveFile(services, request, async (content, file) => {
    const { source, deal, date, price } = file.fields;
    const choices = { deal, date, price };
    const reading = { name: file.name, actor: user.id, limits: file.limits, source, choices };
    return `/admin/move-in/price-histories/${await stagePrices(services.db, content, reading)}`;
  });
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
  { label: 'State', cell: ({ state }) => moveStates[state] },
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

function UploadForm({ refused }: { refused: RefusedMove | undefined }) {
  const { source, deal, date, price } = refused?.values ?? {};
  return (
    <PreviewedUploadForm
      action="/admin/move-in/price-histories/upload"
      intro="Upload a CSV file with a deal, a date and a price in each row. A deal is named by its id, slug, page, GTIN, SKU or product link; a column with the store decides between several. You see a preview first. At most 20 MB, also as gzip."
      problem={refused?.message}
    >
      <p>
        Charts show these prices separately, as “not seen by us”. Only prices from before our own
        log of a deal are imported, and they never count for lows, discounts or alerts.
      </p>
      <PreviewedFileField label="Price file" accept=".csv,.tsv,.txt,.gz" />
      <TextField
        name="source"
        label="Price source"
        defaultValue={source}
        maxLength={60}
        hint="Shown on charts, such as “CamelCamelCamel”. A column named “source” comes first."
      />
      <details open={refused !== undefined}>
        <summary>Columns, if they aren’t found</summary>
        <div className={forms.stack}>
          <TextField name="deal" label="Deal column" defaultValue={deal} />
          <TextField name="date" label="Date column" defaultValue={date} />
          <TextField name="price" label="Price column" defaultValue={price} />
        </div>
      </details>
    </PreviewedUploadForm>
  );
}
