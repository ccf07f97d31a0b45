import { data, Form } from 'react-router';
import type { Route } from './+types/products-page';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { listAddress, redirectWithFlash } from '#app/admin/frame/flash.server.ts';
import { LoadFailure } from '#app/admin/frame/load-failure.tsx';
import { readOrFail } from '#app/admin/frame/read-or-fail.server.ts';
import { readSelection } from '#app/admin/frame/read-selection.ts';
import { RelativeTime } from '#app/admin/frame/relative-time.tsx';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import {
  answerProducts,
  countProductQuestions,
  listProductQuestions,
  type ProductAnswer,
  type ProductQuestion,
} from '#app/features/feeds/review/answer-products.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import { formatMoney } from '#app/platform/money.ts';
import { readPost } from '#app/platform/read-post.server.ts';
import { readText } from '#app/platform/read-text.ts';
import type { Db } from '#database/connect.ts';
import { HiddenFields } from '#app/ui/act-form.tsx';
import { Button } from '#app/ui/button.tsx';
import { Link } from '#app/ui/link.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { type PlainColumn, PlainTable, readPlainPage } from '../frame/plain-table.tsx';
import styles from './imports.module.css';

export function loader({ request, context }: Route.LoaderArgs) {
  requireRight(context, 'feeds.import');
  const { db, now } = appServices(context);
  return readOrFail(context, 'products to review', async () => ({
    questions: await readPlainPage(request, (cut) => listProductQuestions(db, cut)),
    now: now(),
  }));
}

export async function action({ request, context }: Route.ActionArgs) {
  const user = requireRight(context, 'feeds.import');
  const { db, form, intent, rowId } = await readPost(context, request);
  const answer = readAnswer(intent === 'bulk' ? readText(form, 'verb') : intent);
  const id = rowId('id');
  const chosen = intent === 'bulk' ? await readChosen(db, form) : id === null ? 'invalid' : [id];
  if (!answer || chosen === 'invalid') throw data(null, { status: 400 });
  const here = listAddress(request);
  const answered = chosen === 'changed' ? 0 : await answerProducts(db, user.id, answer, chosen);
  if (answered === 0) {
    const words = 'These products are no longer waiting. Check the list and try again.';
    return redirectWithFlash(context, here, words, { kind: 'error' });
  }
  const deals = countNoun(answered, 'deal');
  const words =
    answer === 'same'
      ? `Kept ${deals}. The next import updates them from the feed.`
      : `Ended ${deals}. The next import creates new ones.`;
  return redirectWithFlash(context, here, words);
}

/** Returns the selected rows, `null` for all of them, or the reason for a rejection. */
async function readChosen(
  db: Db,
  form: FormData,
): Promise<number[] | null | 'invalid' | 'changed'> {
  const choice = readSelection(form);
  if (!choice) return 'invalid';
  if ('ids' in choice) return choice.ids;
  return (await countProductQuestions(db)) === choice.expectedCount ? null : 'changed';
}

function readAnswer(text: string): ProductAnswer | undefined {
  return (['same', 'other'] as const).find((answer) => answer === text);
}

export const meta = () => [{ title: 'Products to review' }];

export default function ProductsPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData.ok) return <LoadFailure title="Products to review" failure={loaderData} />;
  return (
    <div className={styles.page}>
      <AdminHeading title="Products to review">
        These rows have the ID of an existing deal but may be another product. The deals are not
        changed until you decide.
      </AdminHeading>
      <PlainTable
        noun={{ one: 'product', many: 'products' }}
        page={loaderData.questions}
        path="/admin/imports/products"
        columns={columns(loaderData.now)}
        idOf={({ id }) => id}
        nameOf={({ title }) => title}
        bulk={{
          verbs: [
            {
              value: 'same',
              label: 'Same product',
              question: 'Keep the deals of {n}?',
              detail: 'The next import updates them from the feed.',
            },
            {
              value: 'other',
              label: 'Another product',
              question: 'End the deals of {n}?',
              detail:
                'They end now and keep their price history. The next import creates new deals.',
            },
          ],
        }}
        empty={
          <MessagePanel icon="shield" title="No products to review" level={2}>
            <p>If a feed reuses a deal’s ID for what may be another product, you decide here.</p>
          </MessagePanel>
        }
      />
    </div>
  );
}

function columns(now: Date): PlainColumn<ProductQuestion>[] {
  return [
    {
      label: 'Deal',
      cell: ({ slug, merchant, ...deal }) => (
        <>
          <Link to={`/deals/${slug}`} data-key-open>
            {deal.title}
          </Link>
          <span className={styles.sub}>
            {merchant}, {describe(deal)}
          </span>
          <StoreLink {...deal} />
        </>
      ),
    },
    {
      label: 'In the feed now',
      cell: ({ row }) => (
        <>
          {row.title}
          <span className={styles.sub}>{describe(row)}</span>
          <StoreLink {...row} />
        </>
      ),
    },
    { label: 'Since', cell: ({ asked_at }) => <RelativeTime at={asked_at} now={now} /> },
    {
      label: 'Decision',
      cell: ({ id, title }) => (
        <Form method="post" className="bar gap-3">
          <HiddenFields fields={{ id }} />
          <Button type="submit" name="intent" value="same">
            Same product<span className="visually-hidden">: {title}</span>
          </Button>
          <Button type="submit" name="intent" value="other">
            Another product<span className="visually-hidden">: {title}</span>
          </Button>
        </Form>
      ),
    },
  ];
}

function describe({
  brand,
  sale_price,
  currency,
}: Pick<ProductQuestion, 'brand' | 'sale_price' | 'currency'>): string {
  const price = formatMoney(sale_price, currency);
  return brand === null ? price : `${brand}, ${price}`;
}

function StoreLink({ title, deal_url }: Pick<ProductQuestion, 'title' | 'deal_url'>) {
  return (
    <a className={styles.sub} href={deal_url} target="_blank" rel="noopener nofollow">
      View in store<span className="visually-hidden">: {title} (opens a new tab)</span>
    </a>
  );
}
