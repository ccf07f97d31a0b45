import { data, Form } from 'react-router';
import { seenOf, answerChange } from '#app/admin/deals/act-on-deals.server.ts';
import { heldVerbsOf } from '#app/admin/deals/held-verbs.ts';
import { type Context, readOrFail } from '#app/admin/frame/read-or-fail.server.ts';
import { readSelection } from '#app/admin/frame/read-selection.ts';
import { changeDeals } from '#app/features/deals/change-deals.server.ts';
import { dealsTable } from '#app/features/deals/deals-table.ts';
import { readSeen } from '#app/features/deals/edit-deals.server.ts';
import { parseTableQuery } from '#app/platform/table-query.ts';
import { readText } from '#app/platform/read-text.ts';
import type { Db } from '#database/connect.ts';
import type { Route } from './+types/held-page';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { listAddress, redirectWithFlash } from '#app/admin/frame/flash.server.ts';
import { LoadFailure } from '#app/admin/frame/load-failure.tsx';
import { RelativeTime } from '#app/admin/frame/relative-time.tsx';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import {
  decideHeldPrice,
  type HeldPrice,
  listHeldPrices,
} from '#app/features/deals/held-prices.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { formatMoney } from '#app/platform/money.ts';
import { readPost } from '#app/platform/read-post.server.ts';
import { Button } from '#app/ui/button.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { HiddenFields } from '#app/ui/act-form.tsx';
import { Link } from '#app/ui/link.tsx';
import { type PlainColumn, PlainTable, readPlainPage } from '../frame/plain-table.tsx';
import styles from './imports.module.css';

export function loader({ request, context }: Route.LoaderArgs) {
  requireRight(context, 'feeds.import');
  const { db, now } = appServices(context);
  return readOrFail(context, 'prices to review', async () => ({
    seen: await readSeen(db),
    held: await readPlainPage(request, (cut) => listHeldPrices(db, cut)),
    now: now(),
  }));
}

export async function action({ request, context }: Route.ActionArgs) {
  const user = requireRight(context, 'feeds.import');
  const { db, form, intent, rowId } = await readPost(context, request);
  if (intent === 'bulk') return decideMany(request, context, { db, form, actor: user.id });
  const [id, price] = [rowId('id'), rowId('price')];
  if (id === null || price === null || (intent !== 'approve' && intent !== 'refuse')) {
    throw data(null, { status: 400 });
  }
  if (!(await decideHeldPrice(db, user.id, intent, id, price))) {
    const words = 'This price was already reviewed.';
    return redirectWithFlash(context, listAddress(request), words, { kind: 'error' });
  }
  const words = intent === 'approve' ? 'The price is published.' : 'The old price stays.';
  return redirectWithFlash(context, listAddress(request), words);
}

/** Decides on the selected prices, or on all waiting ones. */
async function decideMany(
  request: Request,
  context: Context,
  { db, form, actor }: { db: Db; form: FormData; actor: string },
) {
  const verb = heldVerb(readText(form, 'verb'));
  const chosen = readSelection(form);
  if (!verb || !chosen) throw data(null, { status: 400 });
  const filter = parseTableQuery(dealsTable, new URLSearchParams('show=held'));
  const change = { actor, verb, categoryId: null, edit: seenOf(form) };
  const result = await changeDeals(db, change, 'ids' in chosen ? chosen : { ...chosen, filter });
  return answerChange({ context, here: listAddress(request) }, verb, result);
}

function heldVerb(text: string) {
  return (['approve-price', 'refuse-price'] as const).find((verb) => verb === text);
}

export const meta = () => [{ title: 'Prices to review' }];

export default function HeldPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData.ok) return <LoadFailure title="Prices to review" failure={loaderData} />;
  return (
    <div className={styles.page}>
      <AdminHeading title="Prices to review">
        A price drop of more than 90% waits here. Until you approve it, it is not shown and no alert
        is sent.
      </AdminHeading>
      <PlainTable
        noun={{ one: 'price', many: 'prices' }}
        page={loaderData.held}
        path="/admin/imports/held"
        columns={columns(loaderData.now)}
        idOf={({ id }) => id}
        nameOf={({ title }) => title}
        bulk={{
          verbs: heldVerbsOf('{n}'),
          extra: <HiddenFields fields={{ seen: loaderData.seen }} />,
        }}
        empty={
          <MessagePanel icon="shield" title="No prices to review" level={2}>
            <p>If a feed drops a price by more than 90%, you decide here whether it is real.</p>
          </MessagePanel>
        }
      />
    </div>
  );
}

function columns(now: Date): PlainColumn<HeldPrice>[] {
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
              view in store<span className="visually-hidden"> (opens a new tab)</span>
            </a>
          </span>
        </>
      ),
    },
    {
      label: 'Price',
      isNumber: true,
      cell: ({ sale_price, held_price, currency }) => (
        <span className={`figures nowrap ${styles.price}`}>
          <del>{formatMoney(sale_price, currency)}</del> {formatMoney(held_price, currency)}
        </span>
      ),
    },
    {
      label: 'Drop',
      isNumber: true,
      cell: ({ sale_price, held_price }) =>
        `${Math.floor((1_000 * (sale_price - held_price)) / sale_price) / 10}%`,
    },
    { label: 'Since', cell: ({ held_at }) => <RelativeTime at={held_at} now={now} /> },
    {
      label: 'Decision',
      cell: ({ id, title, held_price }) => (
        <Form method="post" className="bar gap-3">
          <HiddenFields fields={{ id, price: held_price }} />
          <Button type="submit" name="intent" value="approve">
            Approve<span className="visually-hidden">: {title}</span>
          </Button>
          <Button type="submit" name="intent" value="refuse">
            Reject<span className="visually-hidden">: {title}</span>
          </Button>
        </Form>
      ),
    },
  ];
}
