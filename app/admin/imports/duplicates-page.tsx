import { Form, Link } from 'react-router';
import type { Route } from './+types/duplicates-page';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { listAddress, redirectWithFlash } from '#app/admin/frame/flash.server.ts';
import { LoadFailure } from '#app/admin/frame/load-failure.tsx';
import { readOrSay } from '#app/admin/frame/read-or-say.server.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import {
  dismissDuplicate,
  type DuplicateDeal,
  type DuplicatePair,
  hideDuplicate,
  listDuplicates,
} from '#app/features/feeds/review/duplicate-deals.server.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { appServices } from '#app/platform/app-context.server.ts';
import { formatMoney } from '#app/platform/money.ts';
import { Button } from '#app/ui/button.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import styles from './imports.module.css';

export function loader({ context }: Route.LoaderArgs) {
  requireRight(context, 'feeds.import');
  return readOrSay(context, 'duplicates', async () => ({
    pairs: await listDuplicates(appServices(context).db),
  }));
}

export async function action({ request, context }: Route.ActionArgs) {
  const user = requireRight(context, 'feeds.import');
  const { db } = appServices(context);
  const form = await readFormBody(request);
  const [hidden, other] = [parseRowId(form.get('deal')), parseRowId(form.get('other'))];
  const intent = form.get('intent');
  if (hidden === null || other === null || (intent !== 'hide' && intent !== 'dismiss')) {
    throw new Response(null, { status: 400 });
  }
  const decide = intent === 'hide' ? hideDuplicate : dismissDuplicate;
  const isDone = await decide(db, user.id, hidden, other);
  const here = listAddress(request);
  if (!isDone) {
    return redirectWithFlash(context, here, 'They are no longer a pair.', { kind: 'error' });
  }
  const words =
    intent === 'hide' ? 'The deal is hidden; the other one stays.' : 'They count as two products.';
  return redirectWithFlash(context, here, words);
}

export function meta() {
  return [{ title: 'Possible duplicates' }];
}

export default function DuplicatesPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData.ok) return <LoadFailure title="Possible duplicates" failure={loaderData} />;
  const { pairs } = loaderData;
  return (
    <div className={styles.page}>
      <AdminHeading title="Possible duplicates">
        Live deals that bear the same GTIN. Nothing is merged by itself: hide one, or say that they
        are different.
      </AdminHeading>
      {pairs.length === 0 ? (
        <MessagePanel icon="tag" title="No duplicates" level={2}>
          <p>No two live deals bear the same GTIN, or all of them were told apart.</p>
        </MessagePanel>
      ) : (
        pairs.map((pair) => <Pair key={pair.deals.map(({ id }) => id).join()} pair={pair} />)
      )}
    </div>
  );
}

function Pair({ pair }: { pair: DuplicatePair }) {
  const [first, second] = pair.deals;
  return (
    <section className={styles.card} aria-label={`GTIN ${pair.gtin}: ${first.title}`}>
      <h2>{pair.isSameMerchant ? 'Twice at one merchant' : 'At two merchants'}</h2>
      <p>GTIN {pair.gtin}</p>
      <div className={styles.pair}>
        <One deal={first} other={second} />
        <One deal={second} other={first} />
      </div>
      <Form method="post">
        <input type="hidden" name="intent" value="dismiss" />
        <input type="hidden" name="deal" value={first.id} />
        <input type="hidden" name="other" value={second.id} />
        <Button type="submit">They are different</Button>
      </Form>
    </section>
  );
}

function One({ deal, other }: { deal: DuplicateDeal; other: DuplicateDeal }) {
  const { currency } = useSite();
  return (
    <div>
      <Link to={`/deals/${deal.slug}`}>{deal.title}</Link>
      <span className={styles.sub}>
        {deal.merchant}, {formatMoney(deal.sale_price, currency)}
        {deal.availability === 'out_of_stock' ? ', out of stock' : ''}
      </span>
      <Form method="post">
        <input type="hidden" name="intent" value="hide" />
        <input type="hidden" name="deal" value={deal.id} />
        <input type="hidden" name="other" value={other.id} />
        <Button type="submit">
          Hide this one
          <span className="visually-hidden">
            : {deal.title}, {deal.merchant}
          </span>
        </Button>
      </Form>
    </div>
  );
}
