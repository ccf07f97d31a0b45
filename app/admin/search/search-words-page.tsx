import { data, Form, useSearchParams } from 'react-router';
import type { Route } from './+types/search-words-page';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import {
  dismissProductRequest,
  listProductRequests,
} from '#app/features/search/product-requests.server.ts';
import {
  addSynonyms,
  deleteSynonyms,
  listSynonyms,
  type SynonymLine,
} from '#app/features/search/change-synonyms.server.ts';
import {
  listMissedSearches,
  type MissedSearch,
} from '#app/features/search/missed-searches.server.ts';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { redirectWithError, redirectWithFlash } from '#app/admin/frame/flash.server.ts';
import { FormSection } from '#app/admin/frame/form-section.tsx';
import { LoadFailure } from '#app/admin/frame/load-failure.tsx';
import { type PlainColumn, PlainTable } from '#app/admin/frame/plain-table.tsx';
import { readOrFail } from '#app/admin/frame/read-or-fail.server.ts';
import { RelativeTime } from '#app/admin/frame/relative-time.tsx';
import { titled } from '#app/admin/frame/titled.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { readPost } from '#app/platform/read-post.server.ts';
import { PostButton } from '#app/ui/act-form.tsx';
import { Button } from '#app/ui/button.tsx';
import { Link } from '#app/ui/link.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import forms from '#app/ui/form.module.css';
import { ProductRequests } from './product-request-list.tsx';

const title = 'Search';
const path = '/admin/search';
const mostShown = 100;

export function loader({ context }: Route.LoaderArgs) {
  requireRight(context, 'catalog.read');
  const { db, now } = appServices(context);
  return readOrFail(context, 'searches', async () => {
    const [requests, missed, synonyms] = await Promise.all([
      listProductRequests(db, mostShown),
      listMissedSearches(db, mostShown),
      listSynonyms(db),
    ]);
    return { requests, missed, synonyms, now: now() };
  });
}

export async function action({ request, context }: Route.ActionArgs) {
  const user = requireRight(context, 'catalog.write');
  const { db, text, rowId, intent } = await readPost(context, request);
  if (intent === 'add') {
    const typed = text('words');
    const added = await addSynonyms(db, user.id, typed);
    if (!added.ok) return data({ typed, error: added.message }, { status: 422 });
    return redirectWithFlash(context, path, `Synonyms added: ${added.words}.`);
  }
  if (intent === 'dismiss-request' || intent === 'restore-request') {
    const [id, isUndo] = [rowId('id') ?? 0, intent === 'restore-request'];
    if (!(await dismissProductRequest(db, { id, actor: user.id, isUndo }))) {
      return redirectWithError(context, path, 'Someone else already changed this request.');
    }
    const fields = { intent: isUndo ? 'dismiss-request' : 'restore-request', id: String(id) };
    return redirectWithFlash(context, path, `Request ${isUndo ? 'restored' : 'dismissed'}.`, {
      undo: { label: 'Undo', action: path, fields },
    });
  }
  if (intent !== 'delete') throw data(null, { status: 400 });
  const words = await deleteSynonyms(db, user.id, rowId('id') ?? 0);
  return words === null
    ? redirectWithFlash(context, path, 'These synonyms were already deleted.', { kind: 'error' })
    : redirectWithFlash(context, path, `Synonyms deleted: ${words}.`);
}

export const meta = titled(title);

export default function SearchWordsPage({ loaderData, actionData }: Route.ComponentProps) {
  const [asked] = useSearchParams();
  if (!loaderData.ok) return <LoadFailure title={title} failure={loaderData} />;
  const { requests, missed, synonyms, now } = loaderData;
  const word = asked.get('word');
  return (
    <div className="column gap-8">
      <AdminHeading title={title}>
        See which products and searches have no deal, and add words that mean the same.
      </AdminHeading>
      <ProductRequests requests={requests} now={now} />
      <section className="column gap-4" aria-labelledby="missed">
        <h2 id="missed">Searches without a result</h2>
        <PlainTable
          page={missed}
          noun={{ one: 'search', many: 'searches' }}
          columns={missedColumns(now)}
          idOf={({ words }) => words}
          nameOf={({ words }) => words}
          empty={
            <MessagePanel icon="search" title="No searches without a result">
              A search appears here when three visitors made it in the last two weeks.
            </MessagePanel>
          }
        />
      </section>
      <section className="column gap-4" aria-labelledby="synonyms">
        <h2 id="synonyms">Your synonyms</h2>
        <Form key={word} method="post" className={forms.stack} noValidate>
          <FormSection
            title="New synonyms"
            hint="Common words such as TV and television are built in."
          >
            <TextField
              name="words"
              label="Words"
              required
              maxLength={300}
              autoComplete="off"
              hint="Separate them with commas. With “sofa > sofa bed”, a search for sofa also finds sofa beds, but not the reverse."
              defaultValue={actionData?.typed ?? (word ? `${word}, ` : undefined)}
              error={actionData?.error}
            />
          </FormSection>
          <div className="row gap-3">
            <Button type="submit" variant="primary" name="intent" value="add">
              Add synonyms
            </Button>
          </div>
        </Form>
        <PlainTable
          page={synonyms}
          noun={{ one: 'line', many: 'lines' }}
          columns={synonymColumns(now)}
          idOf={({ id }) => id}
          nameOf={({ words }) => words}
          empty={
            <MessagePanel icon="search" title="No synonyms of your own">
              Add words that your visitors use for the products you list.
            </MessagePanel>
          }
        />
      </section>
    </div>
  );
}

function missedColumns(now: Date): PlainColumn<MissedSearch>[] {
  return [
    {
      label: 'Search',
      cell: ({ words }) => (
        <Link to={`/deals?${new URLSearchParams({ search: words })}`}>{words}</Link>
      ),
    },
    { label: 'Visitors', cell: ({ visitors }) => visitors.toLocaleString('en-US') },
    { label: 'Last', cell: ({ missed_at }) => <RelativeTime at={missed_at} now={now} /> },
    {
      label: 'Action',
      cell: ({ words }) => (
        <Link to={`${path}?${new URLSearchParams({ word: words })}#synonyms`}>Make a synonym</Link>
      ),
    },
  ];
}

function synonymColumns(now: Date): PlainColumn<SynonymLine>[] {
  return [
    { label: 'Words', cell: ({ words }) => words },
    { label: 'Added', cell: ({ created_at }) => <RelativeTime at={created_at} now={now} /> },
    {
      label: 'Action',
      cell: ({ id, words }) => (
        <PostButton fields={{ intent: 'delete', id }} aria-label={`Delete ${words}`}>
          Delete
        </PostButton>
      ),
    },
  ];
}
