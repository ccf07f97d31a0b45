import { data } from 'react-router';
import type { Route } from './+types/duplicates-page';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { listAddress, redirectWithFlash } from '#app/admin/frame/flash.server.ts';
import { LoadFailure } from '#app/admin/frame/load-failure.tsx';
import { readOrFail } from '#app/admin/frame/read-or-fail.server.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import {
  dismissDuplicate,
  type DuplicateDeal,
  type DuplicatePair,
  hideDuplicate,
  listDuplicates,
} from '#app/features/feeds/review/duplicate-deals.server.ts';
import { linkDeals } from '#app/features/products/review-links.server.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { appServices } from '#app/platform/app-context.server.ts';
import { formatMoney } from '#app/platform/money.ts';
import { readPost } from '#app/platform/read-post.server.ts';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { PostButton } from '#app/ui/act-form.tsx';
import { Link } from '#app/ui/link.tsx';
import styles from './imports.module.css';

export function loader({ context }: Route.LoaderArgs) {
  requireRight(context, 'feeds.import');
  return readOrFail(context, 'duplicates', async () => ({
    pairs: await listDuplicates(appServices(context).db),
  }));
}

const acts = new Map([
  ['hide', { decide: hideDuplicate, done: 'The deal was hidden; the other one stays.' }],
  ['dismiss', { decide: dismissDuplicate, done: 'They now count as two products.' }],
  ['link', { decide: linkDeals, done: 'They are now offers of one product.' }],
]);

export async function action({ request, context }: Route.ActionArgs) {
  const user = requireRight(context, 'feeds.import');
  const { db, intent, rowId } = await readPost(context, request);
  const [hidden, other] = [rowId('deal'), rowId('other')];
  const act = acts.get(intent);
  if (hidden === null || other === null || !act) throw data(null, { status: 400 });
  const here = listAddress(request);
  if (!(await act.decide(db, user.id, hidden, other))) {
    return redirectWithFlash(context, here, 'They are no longer duplicates.', { kind: 'error' });
  }
  return redirectWithFlash(context, here, act.done);
}

export const meta = () => [{ title: 'Possible duplicates' }];

export default function DuplicatesPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData.ok) return <LoadFailure title="Possible duplicates" failure={loaderData} />;
  const { pairs } = loaderData;
  return (
    <div className={styles.page}>
      <AdminHeading title="Possible duplicates">
        Live deals with the same GTIN that are not offers of one product, because something differs
        or the store is new. Link them, hide one, or mark them as different.
      </AdminHeading>
      {pairs.length === 0 ? (
        <MessagePanel icon="tag" title="No duplicates" level={2}>
          <p>All live deals that share a GTIN are linked, or you marked them as different.</p>
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
      {pair.isSameMerchant ? null : (
        <PostButton fields={{ intent: 'link', deal: first.id, other: second.id }}>
          Same product
        </PostButton>
      )}
      <PostButton fields={{ intent: 'dismiss', deal: first.id, other: second.id }}>
        Mark as different
      </PostButton>
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
      <PostButton fields={{ intent: 'hide', deal: deal.id, other: other.id }}>
        Hide this one
        <span className="visually-hidden">
          : {deal.title}, {deal.merchant}
        </span>
      </PostButton>
    </div>
  );
}
