import { Form, Link } from 'react-router';
import type { Route } from './+types/manage-posts-page';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import {
  deletePost,
  restorePost,
  setPostPublished,
} from '#app/features/blog/change-post.server.ts';
import { postMessages } from '#app/features/blog/post-messages.ts';
import { postState } from '#app/features/blog/post-state.ts';
import { countPostFigures, listPostRows } from '#app/features/blog/post-table-queries.server.ts';
import { postTable } from '#app/features/blog/post-table.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { readText } from '#app/platform/read-text.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { isFiltered, parseTableQuery } from '#app/platform/table-query.ts';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { ConfirmAct } from '#app/admin/frame/confirm-act.tsx';
import { DataTable } from '#app/admin/frame/data-table.tsx';
import { listAddress, redirectWithFlash } from '#app/admin/frame/flash.server.ts';
import { EmptyTable } from '#app/admin/frame/empty-table.tsx';
import { LoadFailure } from '#app/admin/frame/load-failure.tsx';
import { readOrSay } from '#app/admin/frame/read-or-say.server.ts';
import { menuItemClass, RowMenu } from '#app/admin/frame/row-menu.tsx';
import { StatCards } from '#app/admin/frame/stat-cards.tsx';
import { TableFilters } from '#app/admin/frame/table-filters.tsx';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { type PostListRow, postColumns } from './post-columns.tsx';

export function loader({ request, context }: Route.LoaderArgs) {
  requireRight(context, 'blog.read');
  const { db, now } = appServices(context);
  const { search, searchParams } = new URL(request.url);
  const query = parseTableQuery(postTable, searchParams);
  return readOrSay(context, 'blog posts', async () => {
    const [page, figures] = await Promise.all([listPostRows(db, query), countPostFigures(db)]);
    const rows = page.rows.map((row): PostListRow => ({ ...row, state: postState(row, now()) }));
    return { query, page: { ...page, rows }, figures, search };
  });
}

/** Publishes a post, makes it a draft again, deletes it, and takes each of these back. */
export async function action({ request, context }: Route.ActionArgs) {
  const actor = requireRight(context, 'blog.write').id;
  const { db } = appServices(context);
  const form = await readFormBody(request);
  const id = parseRowId(readText(form, 'id')) ?? 0;
  const intent = readText(form, 'intent');
  const here = listAddress(request);
  const say = (isDone: boolean, done: string, failed: string, undoIntent?: string) =>
    isDone
      ? redirectWithFlash(context, here, done, {
          ...(undoIntent && {
            undo: { label: 'Undo', action: here, fields: { intent: undoIntent, id: String(id) } },
          }),
        })
      : redirectWithFlash(context, here, failed, { kind: 'error' });

  switch (intent) {
    case 'publish':
    case 'unpublish': {
      const { ok } = await setPostPublished(db, id, intent === 'publish', actor);
      const back = intent === 'publish' ? 'unpublish' : 'publish';
      return say(ok, postMessages.statusUpdated, postMessages.updateFailed, back);
    }
    case 'restore': {
      const { ok } = await restorePost(db, id, actor);
      return say(ok, postMessages.restored, postMessages.restoreFailed);
    }
    default: {
      const { ok } = intent === 'delete' ? await deletePost(db, id, actor) : { ok: false };
      return say(ok, postMessages.deleted, postMessages.deleteFailed, 'restore');
    }
  }
}

export function meta() {
  return [{ title: 'Blog Management' }];
}

export default function ManagePostsPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData.ok) return <LoadFailure title="Blog Management" failure={loaderData} />;
  const { query, page, figures, search } = loaderData;
  const newHref = `/admin/blog/new${search}`;
  const ofState = (state: string) => `/admin/blog?status=${state}`;
  return (
    <>
      <AdminHeading title="Blog Management" action={{ href: newHref, label: 'New Post' }} />
      <StatCards
        stats={[
          { label: 'Total Posts', value: figures.total, href: '/admin/blog' },
          { label: 'Published', value: figures.published, href: ofState('published') },
          ...(figures.scheduled > 0
            ? [{ label: 'Scheduled', value: figures.scheduled, href: ofState('scheduled') }]
            : []),
          { label: 'Drafts', value: figures.drafts, href: ofState('draft') },
        ]}
      />
      <TableFilters
        spec={postTable}
        query={query}
        searchLabel="Search by title, excerpt, author or tag"
        filters={[
          {
            name: 'status',
            label: 'Status',
            options: [
              { value: 'published', label: 'Published' },
              { value: 'scheduled', label: 'Scheduled' },
              { value: 'draft', label: 'Draft' },
            ],
          },
          { name: 'show', label: 'Show', options: [{ value: 'featured', label: 'Featured' }] },
        ]}
      />
      <DataTable
        noun={{ one: 'post', many: 'posts' }}
        spec={postTable}
        query={query}
        page={page}
        columns={postColumns}
        idOf={(row) => row.id}
        nameOf={(row) => row.title}
        renderMenu={(row) => <PostMenu row={row} search={search} />}
        empty={
          <EmptyTable
            icon="book"
            title="No blog posts found"
            titleWhenNew="No blog posts yet"
            isFiltered={isFiltered(query)}
            path={postTable.path}
            begin={{ href: newHref, label: 'Create First Post' }}
            hint="Posts stand on the blog, on the home page and in the feed."
          />
        }
      />
    </>
  );
}

function PostMenu({ row, search }: { row: PostListRow; search: string }) {
  return (
    <RowMenu label={row.title}>
      {row.state === 'published' ? (
        <a href={`/blog/${row.slug}`} className={menuItemClass}>
          View
        </a>
      ) : (
        <Link to={`/admin/blog/preview/${row.id}`} className={menuItemClass}>
          Preview
        </Link>
      )}
      <Link to={`/admin/blog/edit/${row.id}${search}`} data-key-edit className={menuItemClass}>
        Edit
      </Link>
      <Form method="post">
        <input type="hidden" name="id" value={row.id} />
        <button
          type="submit"
          name="intent"
          value={row.is_published ? 'unpublish' : 'publish'}
          className={menuItemClass}
        >
          {row.is_published ? 'Make it a draft' : 'Publish'}
        </button>
      </Form>
      <ConfirmAct
        label="Delete"
        className={menuItemClass}
        question={postMessages.confirmDelete}
        detail={<p>{row.title}</p>}
        confirmLabel="Delete"
        fields={{ intent: 'delete', id: String(row.id) }}
      />
    </RowMenu>
  );
}
