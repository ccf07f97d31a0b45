import { Form, Link } from 'react-router';
import type { Route } from './+types/held-page';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { type Column, DataTable } from '#app/admin/frame/data-table.tsx';
import { listAddress, redirectWithFlash } from '#app/admin/frame/flash.server.ts';
import { LoadFailure } from '#app/admin/frame/load-failure.tsx';
import { readOrSay } from '#app/admin/frame/read-or-say.server.ts';
import { RelativeTime } from '#app/admin/frame/relative-time.tsx';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import {
  approveHeldPrice,
  type HeldPrice,
  listHeldPrices,
  refuseHeldPrice,
} from '#app/features/feeds/review/held-prices.server.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { appServices } from '#app/platform/app-context.server.ts';
import { formatMoney } from '#app/platform/money.ts';
import { parseTableQuery } from '#app/platform/table-query.ts';
import { Button } from '#app/ui/button.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { runsSpec, toPage } from './runs-table.tsx';
import styles from './imports.module.css';

const limit = 50;
const spec = { ...runsSpec, path: '/admin/imports/held' };

export function loader({ request, context }: Route.LoaderArgs) {
  requireRight(context, 'feeds.import');
  const { db, now } = appServices(context);
  const query = parseTableQuery(spec, new URL(request.url).searchParams);
  return readOrSay(context, 'prices to review', async () => {
    const held = await listHeldPrices(db, { limit, offset: (query.page - 1) * limit });
    return { query, held: toPage(held, query.page, limit), now: now() };
  });
}

export async function action({ request, context }: Route.ActionArgs) {
  const user = requireRight(context, 'feeds.import');
  const { db } = appServices(context);
  const form = await readFormBody(request);
  const [id, price] = [parseRowId(form.get('id')), parseRowId(form.get('price'))];
  const intent = form.get('intent');
  if (id === null || price === null || (intent !== 'approve' && intent !== 'refuse')) {
    throw new Response(null, { status: 400 });
  }
  const decide = intent === 'approve' ? approveHeldPrice : refuseHeldPrice;
  const isDone = await decide(db, user.id, id, price);
  if (!isDone) {
    const words = 'This price does not wait any longer.';
    return redirectWithFlash(context, listAddress(request), words, { kind: 'error' });
  }
  const words = intent === 'approve' ? 'The price is published.' : 'The old price stays.';
  return redirectWithFlash(context, listAddress(request), words);
}

export function meta() {
  return [{ title: 'Prices to review' }];
}

export default function HeldPage({ loaderData }: Route.ComponentProps) {
  const { currency } = useSite();
  if (!loaderData.ok) return <LoadFailure title="Prices to review" failure={loaderData} />;
  return (
    <div className={styles.page}>
      <AdminHeading title="Prices to review">
        A fall of more than 90 % in a feed waits here: it is not shown, and no alert goes out.
      </AdminHeading>
      <DataTable
        noun={{ one: 'price', many: 'prices' }}
        spec={spec}
        query={loaderData.query}
        page={loaderData.held}
        columns={columns(loaderData.now, (cents) => formatMoney(cents, currency))}
        idOf={({ id }) => id}
        nameOf={({ title }) => title}
        empty={
          <MessagePanel icon="shield" title="Nothing waits" level={2}>
            <p>When a feed cuts a price by more than 90 %, you decide here whether it is true.</p>
          </MessagePanel>
        }
      />
    </div>
  );
}

function columns(now: Date, money: (cents: number) => string): Column<HeldPrice, 'newest'>[] {
  return [
    {
      label: 'Deal',
      cell: ({ slug, title, merchant, deal_url }) => (
        <>
          <Link to={`/deals/${slug}`} data-key-open>
            {title}
          </Link>
          <span className={styles.sub}>
            {merchant},{' '}
            <a href={deal_url} target="_blank" rel="noopener nofollow">
              see it there<span className="visually-hidden"> (opens a new tab)</span>
            </a>
          </span>
        </>
      ),
    },
    {
      label: 'Price',
      isNumber: true,
      cell: ({ sale_price, held_price }) => (
        <span className={styles.price}>
          <del>{money(sale_price)}</del> {money(held_price)}
        </span>
      ),
    },
    {
      label: 'Fall',
      isNumber: true,
      cell: ({ sale_price, held_price }) =>
        `${Math.floor((1_000 * (sale_price - held_price)) / sale_price) / 10} %`,
    },
    { label: 'Since', cell: ({ held_at }) => <RelativeTime at={held_at} now={now} /> },
    { label: 'Decision', cell: (held) => <Decision {...held} /> },
  ];
}

function Decision({ id, title, held_price }: HeldPrice) {
  return (
    <Form method="post" className={styles.acts}>
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="price" value={held_price} />
      <Button type="submit" name="intent" value="approve">
        Approve<span className="visually-hidden">: {title}</span>
      </Button>
      <Button type="submit" name="intent" value="refuse">
        Refuse<span className="visually-hidden">: {title}</span>
      </Button>
    </Form>
  );
}
