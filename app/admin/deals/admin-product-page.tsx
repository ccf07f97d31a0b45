import { data } from 'react-router';
import type { Route } from './+types/admin-product-page';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import {
  listAddress,
  redirectWithError,
  redirectWithFlash,
} from '#app/admin/frame/flash.server.ts';
import { RelativeTime } from '#app/admin/frame/relative-time.tsx';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { mergeProducts, shareNumber } from '#app/features/products/merge-products.server.ts';
import { productMessages } from '#app/features/products/product-messages.ts';
import {
  type ActOfProduct,
  findProducts,
  readProductScreen,
} from '#app/features/products/product-screen-queries.server.ts';
import { moveDeal, splitDeal } from '#app/features/products/review-links.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { type Post, readPost } from '#app/platform/read-post.server.ts';
import { PostButton } from '#app/ui/act-form.tsx';
import { Link } from '#app/ui/link.tsx';
import { answerUndo } from './act-on-product.server.ts';
import { OffersOfProduct } from './offers-of-product.tsx';
import { ProductSearch } from './product-search.tsx';
import styles from './admin-product-page.module.css';

/**
 * The offers and GTINs of a product. `?q=` searches for the product to merge it into, or to move
 * deal `move` to.
 */
export async function loader({ params, request, context }: Route.LoaderArgs) {
  requireRight(context, 'catalog.write');
  const { db, now } = appServices(context);
  const product = await readProductScreen(db, parseRowId(params.id) ?? 0);
  if (!product) throw data(null, { status: 404 });
  const asked = new URL(request.url).searchParams;
  const q = asked.get('q') ?? '';
  const found = await findProducts(db, q);
  const move = parseRowId(asked.get('move') ?? '');
  return {
    product,
    q,
    moved: product.offers.find(({ id }) => id === move) ?? null,
    found: q === '' ? null : found.filter(({ id }) => id !== product.id),
    now: now(),
  };
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const actor = requireRight(context, 'catalog.write').id;
  const post = await readPost(context, request);
  const id = parseRowId(params.id) ?? 0;
  const here = `/admin/deals/products/${id}`;
  if (post.intent === 'undo') return answerUndo(context, here, actor, post.rowId('act'));
  const act = acts.get(post.intent);
  if (!act) throw data(null, { status: 400 });
  const done = await act.run(post, actor, id);
  if (done === null) return redirectWithError(context, listAddress(request), productMessages.gone);
  const undo = { label: 'Undo', action: here, fields: { intent: 'undo', act: String(done) } };
  return redirectWithFlash(context, here, act.words, { undo });
}

type Run = (post: Post, actor: string, id: number) => Promise<number | null>;

const acts = new Map<string, { run: Run; words: string }>([
  [
    'split',
    {
      run: ({ db, rowId }, actor) => splitDeal(db, actor, rowId('deal') ?? 0),
      words: productMessages.split,
    },
  ],
  [
    'move',
    {
      run: ({ db, rowId }, actor) => moveDeal(db, actor, rowId('deal') ?? 0, rowId('to') ?? 0),
      words: productMessages.moved,
    },
  ],
  [
    'merge',
    {
      run: ({ db, rowId }, actor, id) => mergeProducts(db, actor, id, rowId('to') ?? 0),
      words: productMessages.merged,
    },
  ],
  [
    'share',
    {
      run: ({ db, text }, actor) => shareNumber(db, actor, text('gtin')),
      words: productMessages.shared,
    },
  ],
]);

export const meta = () => [{ title: 'Product' }];

export default function AdminProductPage({ loaderData }: Route.ComponentProps) {
  const { product, q, moved, found, now } = loaderData;
  const { id, slug, title, mergedInto, gtins, offers } = product;
  return (
    <div className={styles.page}>
      <AdminHeading title={title}>
        {mergedInto ? (
          <>
            Merged into{' '}
            <Link to={`/admin/deals/products/${mergedInto.id}`}>{mergedInto.title}</Link>, where its
            address redirects.
          </>
        ) : (
          <Link to={`/products/${slug}`}>View on site</Link>
        )}
      </AdminHeading>
      {mergedInto ? null : (
        <>
          <OffersOfProduct product={id} offers={offers} now={now} />
          <Numbers gtins={gtins} />
          <ProductSearch product={id} q={q} moved={moved} found={found} />
        </>
      )}
      <Changes acts={product.acts} now={now} />
    </div>
  );
}

function Numbers({ gtins }: { gtins: readonly string[] }) {
  return (
    <section className={styles.part} aria-labelledby="numbers">
      <h2 id="numbers">Numbers</h2>
      <p className="small">
        New deals with one of these GTINs become offers. If different products have the same number,
        mark it as shared; it then links nothing.
      </p>
      {gtins.length === 0 ? (
        <p>None. Only staff can add offers.</p>
      ) : (
        <ul className={styles.list}>
          {gtins.map((gtin) => (
            <li key={gtin}>
              {gtin}
              <PostButton fields={{ intent: 'share', gtin }}>
                Mark as shared<span className="visually-hidden">: {gtin}</span>
              </PostButton>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Changes({ acts: done, now }: { acts: readonly ActOfProduct[]; now: Date }) {
  if (done.length === 0) return null;
  return (
    <section className={styles.part} aria-labelledby="changes">
      <h2 id="changes">Changes by staff</h2>
      <ul className={styles.list}>
        {done.map((act) => (
          <li key={act.id}>
            <span>
              {describeAct(act)}
              <span className={styles.sub}>
                {act.by}, <RelativeTime at={act.at} now={now} />
                {act.isUndone ? ', undone' : ''}
              </span>
            </span>
            {act.isUndone ? null : (
              <PostButton fields={{ intent: 'undo', act: act.id }}>
                Undo<span className="visually-hidden">: {describeAct(act)}</span>
              </PostButton>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function describeAct({ kind, undoes, deal, other, gtin }: ActOfProduct): string {
  const done = {
    link: `Linked “${deal ?? 'a deleted deal'}”`,
    split: `Took out “${deal ?? 'a deleted deal'}”`,
    move: `Moved “${deal ?? 'a deleted deal'}”${other === null ? '' : ` (other product: ${other})`}`,
    merge: `Merged with ${other ?? 'another product'}`,
    share: `Marked ${gtin ?? 'a number'} as shared`,
    undo: 'Undid a change',
  };
  if (kind !== 'undo' || undoes === null) return done[kind];
  return undoes === 'undo' ? 'Redid a change' : `Undid: ${done[undoes]}`;
}
