import { DeletionDetail } from '#app/admin/frame/deletion-detail.tsx';
import type { Route } from './+types/manage-posts-page';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import {
  deletePost,
  restorePost,
  setPostPublished,
} from '#app/features/blog/change-post.server.ts';
import { postMessages } from '#app/features/blog/post-messages.ts';
import { type PostState, postState } from '#app/features/blog/post-state.ts';
import {
  countPostFigures,
  listPostRows,
  type PostRow,
} from '#app/features/blog/post-table-queries.server.ts';
import { type PostSort, postTable } from '#app/features/blog/post-table.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { appServices } from '#app/platform/app-context.server.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { readText } from '#app/platform/read-text.ts';
import { fullTime, shortDate } from '#app/platform/time-words.ts';
import type { Column } from '#app/admin/frame/data-table.tsx';
import {
  listAddress,
  redirectWithError,
  redirectWithFlash,
} from '#app/admin/frame/flash.server.ts';
import { ListScreen } from '#app/admin/frame/list-screen.tsx';
import { LoadFailure } from '#app/admin/frame/load-failure.tsx';
import { optionsOf } from '#app/admin/frame/options-of.ts';
import { readList } from '#app/admin/frame/read-list.server.ts';
import type { RowAct } from '#app/admin/frame/row-acts.tsx';
import { RowName } from '#app/admin/frame/row-name.tsx';
import { type PillVariant, StatusPill } from '#app/admin/frame/status-pill.tsx';
import { useMay } from '#app/admin/frame/may-change.ts';
import { Link } from '#app/ui/link.tsx';
import { titled } from '#app/admin/frame/titled.ts';

export function loader({ request, context }: Route.LoaderArgs) {
  requireRight(context, 'blog.read');
  const { now } = appServices(context);
  return readList(request, context, {
    spec: postTable,
    what: 'blog posts',
    page: async (db, query) => {
      const page = await listPostRows(db, query);
      const rows = page.rows.map((row): PostListRow => ({ ...row, state: postState(row, now()) }));
      return { ...page, rows };
    },
    figures: countPostFigures,
  });
}

/** Publishes, unpublishes or deletes a post, or undoes one of these actions. */
export async function action({ request, context }: Route.ActionArgs) {
  const actor = requireRight(context, 'blog.write').id;
  const { db } = appServices(context);
  const form = await readFormBody(request);
  const id = parseRowId(readText(form, 'id')) ?? 0;
  const intent = readText(form, 'intent');
  const here = listAddress(request);
  const say = (isDone: boolean, done: string, failed: string, undoIntent?: string) => {
    if (!isDone) return redirectWithError(context, here, failed);
    const fields = { intent: undoIntent ?? '', id: String(id) };
    const undo = { label: 'Undo', action: here, fields };
    return redirectWithFlash(context, here, done, undoIntent ? { undo } : {});
  };

  switch (intent) {
    case 'publish':
    case 'unpublish': {
      const done = await setPostPublished(db, id, intent === 'publish', actor);
      const back = intent === 'publish' ? 'unpublish' : 'publish';
      const lacksPicture = !done.ok && done.reason === 'no-picture';
      const failed = lacksPicture ? postMessages.pictureMissing : postMessages.updateFailed;
      return say(done.ok, postMessages.statusUpdated, failed, back);
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

export const meta = titled('Blog Management');

type PostListRow = PostRow & { state: PostState };

const stateLabels: Record<PostState, string> = {
  published: 'Published',
  scheduled: 'Scheduled',
  draft: 'Draft',
};
const variants: Record<PostState, PillVariant> = {
  published: 'good',
  scheduled: 'warn',
  draft: 'plain',
};

const columns: Column<PostListRow, PostSort>[] = [
  {
    label: 'Title',
    sort: 'title',
    cell: (row) => (
      <RowName href={`/admin/blog/edit/${row.id}`} name={row.title} note={row.excerpt}>
        {row.is_featured ? <StatusPill variant="warn">Featured</StatusPill> : null}
      </RowName>
    ),
  },
  { label: 'Author', sort: 'author', cell: (row) => row.author },
  {
    label: 'Status',
    cell: ({ state }) => <StatusPill variant={variants[state]}>{stateLabels[state]}</StatusPill>,
  },
  { label: 'Date', sort: 'date', cell: (row) => <PostDate at={row.date} /> },
];

const viewOf = (state: string) => `${postTable.path}?status=${state}`;

export default function ManagePostsPage({ loaderData }: Route.ComponentProps) {
  const mayWrite = useMay('blog.write');
  const mayRedirect = useMay('catalog.write');
  if (!loaderData.ok) return <LoadFailure title="Blog Management" failure={loaderData} />;
  const { total, published, scheduled, drafts } = loaderData.figures;
  return (
    <ListScreen
      title="Blog Management"
      about={
        mayWrite && mayRedirect ? (
          <Link to="/admin/move-in/posts">Move in from WordPress</Link>
        ) : undefined
      }
      spec={postTable}
      list={loaderData}
      noun={{ one: 'post', many: 'posts' }}
      nameOf={({ title }) => title}
      changeRight="blog.write"
      begin={{ to: '/admin/blog/new', label: 'New Post', labelWhenEmpty: 'Create First Post' }}
      stats={[
        { label: 'Total Posts', value: total, href: postTable.path },
        { label: 'Published', value: published, href: viewOf('published') },
        ...(scheduled > 0
          ? [{ label: 'Scheduled', value: scheduled, href: viewOf('scheduled') }]
          : []),
        { label: 'Drafts', value: drafts, href: viewOf('draft') },
      ]}
      searchLabel="Search by title, excerpt, author or tag"
      filters={[
        { name: 'status', label: 'Status', options: optionsOf(stateLabels) },
        { name: 'show', label: 'Show', options: optionsOf({ featured: 'Featured' }) },
      ]}
      columns={columns}
      actsOf={actsOf}
      empty={{
        icon: 'book',
        title: 'No blog posts found',
        titleWhenNew: 'No blog posts yet',
        hint: 'Posts appear on the blog, on the home page and in the feed.',
      }}
    />
  );
}

function actsOf({ id, title, slug, state, is_published }: PostListRow): RowAct[] {
  const ask = { question: postMessages.confirmDelete, detail: <DeletionDetail name={title} /> };
  return [
    state === 'published'
      ? { label: 'View', to: `/blog/${slug}` }
      : { label: 'Preview', to: `/admin/blog/preview/${id}` },
    { label: 'Edit', to: `/admin/blog/edit/${id}`, isOver: true, isEdit: true },
    is_published
      ? { label: 'Unpublish', intent: 'unpublish' }
      : { label: 'Publish', intent: 'publish' },
    { label: 'Delete', intent: 'delete', ask },
  ];
}

function PostDate({ at }: { at: Date }) {
  const { timeZone } = useSite();
  return (
    <time className="nowrap" dateTime={at.toISOString()} title={fullTime(at, timeZone)}>
      {shortDate(at, timeZone)}
    </time>
  );
}
