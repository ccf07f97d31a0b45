import { data, Link } from 'react-router';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import type { Route } from './+types/edit-post-page';
import { findEditablePost } from '#app/features/blog/change-post.server.ts';
import { postMessages } from '#app/features/blog/post-messages.ts';
import { postState } from '#app/features/blog/post-state.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { buttonClass } from '#app/ui/button.tsx';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { backToList } from '#app/admin/frame/back-to-list.ts';
import { ConfirmAct } from '#app/admin/frame/confirm-act.tsx';
import { LoadFailure } from '#app/admin/frame/load-failure.tsx';
import { readOrSay } from '#app/admin/frame/read-or-say.server.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { PostForm } from './post-form.tsx';
import { PostNotFound } from './post-not-found.tsx';
import { postTexts } from './post-texts.ts';
import { savePost } from './save-post.server.ts';

export function loader({ request, params, context }: Route.LoaderArgs) {
  requireRight(context, 'blog.write');
  const { db, now } = appServices(context);
  return readOrSay(context, 'blog post', async () => {
    const post = await findEditablePost(db, parseRowId(params.id) ?? 0);
    if (!post) throw data(null, { status: 404 });
    const { timeZone } = await readSiteSettings(db);
    const { id, slug, title, version } = post;
    return {
      post: { id, slug, title, version, state: postState(post, now()) },
      stored: postTexts(post, timeZone),
      backTo: backToList(request.url, '/admin/blog'),
    };
  });
}

export async function action({ request, params, context }: Route.ActionArgs) {
  requireRight(context, 'blog.write');
  const backTo = backToList(request.url, '/admin/blog');
  const id = parseRowId(params.id) ?? 0;
  return savePost(context, await readFormBody(request), { id, backTo });
}

export function meta() {
  return [{ title: 'Edit Blog Post' }];
}

export default function EditPostPage({ loaderData, actionData }: Route.ComponentProps) {
  if (!loaderData.ok) return <LoadFailure title="Edit Blog Post" failure={loaderData} />;
  const { post, stored, backTo } = loaderData;
  return (
    <>
      <AdminHeading
        title="Edit Blog Post"
        more={
          <>
            {post.state === 'published' ? (
              <a href={`/blog/${post.slug}`} className={buttonClass()}>
                View on site
              </a>
            ) : (
              <Link to={`/admin/blog/preview/${post.id}`} className={buttonClass()}>
                Preview
              </Link>
            )}
            <ConfirmAct
              label="Delete"
              look="danger"
              question={postMessages.confirmDelete}
              detail={<p>{post.title}</p>}
              confirmLabel="Delete"
              fields={{ intent: 'delete', id: String(post.id) }}
              action={backTo}
            />
          </>
        }
      >
        <Link to={backTo}>All posts</Link>
      </AdminHeading>
      <PostForm
        key={`${post.id} ${post.version}`}
        post={post}
        stored={stored}
        answer={actionData}
        cancelHref={backTo}
      />
    </>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <PostNotFound error={error} />;
}
