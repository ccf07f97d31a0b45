import { data, redirect } from 'react-router';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { type PlainColumn, PlainTable } from '#app/admin/frame/plain-table.tsx';
import {
  PreviewedFileField,
  PreviewedUploadForm,
} from '#app/admin/frame/previewed-upload-form.tsx';
import { RelativeTime } from '#app/admin/frame/relative-time.tsx';
import { RowName } from '#app/admin/frame/row-name.tsx';
import { titled } from '#app/admin/frame/titled.ts';
import { receiveMoveFile } from '#app/admin/move-in/receive-move-file.server.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { listMoves, type MoveSummary } from '#app/features/moved-posts/move-queries.server.ts';
import { describeMove } from '#app/features/moved-posts/move-words.ts';
import { stageMove } from '#app/features/moved-posts/stage-move.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { moveStates } from '#app/platform/move-states.ts';
import { Link } from '#app/ui/link.tsx';
import type { Route } from './+types/move-posts-page';

const mostShown = 50;

export async function loader({ context }: Route.LoaderArgs) {
  requireRight(context, 'catalog.write');
  requireRight(context, 'blog.write');
  const { db, now } = appServices(context);
  return { moves: await listMoves(db, mostShown), now: now() };
}

/** At `/admin/move-in/posts/upload` the body is streamed: see `server/upload-body.ts`. */
export async function action({ request, context }: Route.ActionArgs) {
  const user = requireRight(context, 'blog.write');
  requireRight(context, 'catalog.write');
  if (!new URL(request.url).pathname.startsWith('/admin/move-in/posts/upload'))
    return redirect('/admin/move-in/posts');
  const services = appServices(context);
  const { db, env } = services;
  const outcome = await receiveMoveFile(services, request, async (source, { name, limits }) => {
    const rules = { origin: env.origin, privateHosts: env.feedPrivateHosts, limits };
    const id = await stageMove(db, source, { name, actor: user.id, ...rules });
    return `/admin/move-in/posts/${id}`;
  });
  return outcome instanceof Response ? outcome : data(outcome, { status: 422 });
}

export const meta = titled('Move in from WordPress');

const columnsOf = (now: Date): PlainColumn<MoveSummary>[] => [
  {
    label: 'Export',
    cell: ({ id, file_name: name, site_url: site }) => (
      <RowName href={`/admin/move-in/posts/${id}`} name={name} note={site ?? ''} />
    ),
  },
  { label: 'State', cell: ({ state }) => moveStates[state] },
  { label: 'Content', cell: describeMove },
  { label: 'Uploaded', cell: ({ created_at: at }) => <RelativeTime at={at} now={now} /> },
];

export default function MovePostsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { moves, now } = loaderData;
  return (
    <div className="column gap-8">
      <AdminHeading title="Move in from WordPress">
        <Link to="/admin/blog">Blog</Link> <Link to="/admin/redirects">Redirects</Link>
      </AdminHeading>
      <PreviewedUploadForm
        action="/admin/move-in/posts/upload"
        intro="Import posts, pages, deals, coupons and cloaked links, with redirects from their old addresses. Works with ReHub, WooCommerce, Clipper, Couponis, WP Coupons and Deals, and ThirstyAffiliates. In WordPress, choose Tools, Export, All content. You see a preview first. At most 20 MB, also as gzip."
        problem={actionData?.message}
      >
        <PreviewedFileField label="Export file" accept=".xml,.gz" />
      </PreviewedUploadForm>
      {moves.length > 0 ? (
        <section className="column gap-4">
          <h2>Exports</h2>
          <PlainTable
            noun={{ one: 'export', many: 'exports' }}
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
