import { DeletionDetail } from '#app/admin/frame/deletion-detail.tsx';
import { data } from 'react-router';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import type { Route } from './+types/edit-post-page';
import { findEditablePost } from '#app/features/blog/change-post.server.ts';
import { postMessages } from '#app/features/blog/post-messages.ts';
import { postState } from '#app/features/blog/post-state.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { backToList } from '#app/admin/frame/back-to-list.ts';
import { ConfirmAct } from '#app/admin/frame/confirm-act.tsx';
import { LoadFailure } from '#app/admin/frame/load-failure.tsx';
import { readOrFail } from '#app/admin/frame/read-or-fail.server.ts';
import { readEditorDeals } from '#app/admin/editor/read-editor-deals.server.ts';
import { titled } from '#app/admin/frame/titled.ts';
import { Link } from '#app/ui/link.tsx';
import { PostForm } from './post-form.tsx';
import { newPostTexts, postTexts } from './post-texts.ts';
import { savePost } from './save-post.server.ts';

/** The editor of a new or stored post. */
export function loader({ request, params, context }: Route.LoaderArgs) {
  requireRight(context, 'blog.write');
  const { db, now } = appServices(context);
  return readOrFail(context, 'blog post', async () => {
    const backTo = backToList(request.url, '/admin/blog');
    const { siteName, timeZone, currency } = await readSiteSettings(db);
    if (params.id === undefined) {
      return { post: null, stored: newPostTexts(siteName), deals: [], backTo };
    }
    const post = await findEditablePost(db, parseRowId(params.id) ?? 0);
    if (!post) throw data({ missing: postMessages.notFound }, { status: 404 });
    const { id, slug, title, version } = post;
    return {
      post: { id, slug, title, version, state: postState(post, now()) },
      stored: postTexts(post, timeZone),
      deals: await readEditorDeals(db, post.content, currency),
      backTo,
    };
  });
}

export function action({ request, params, context }: Route.ActionArgs) {
  requireRight(context, 'blog.write');
  return savePost(request, context, params.id);
}

export const meta = titled('Edit Blog Post', 'New Blog Post');

export default function EditPostPage({ loaderData, actionData }: Route.ComponentProps) {
  if (!loaderData.ok) return <LoadFailure title="Blog post" failure={loaderData} />;
  const { post, stored, deals, backTo } = loaderData;
  return (
    <>
      <AdminHeading
        title={post ? 'Edit Blog Post' : 'New Blog Post'}
        more={
          post && (
            <>
              {post.state === 'published' ? (
                <ButtonLink to={`/blog/${post.slug}`}>View on site</ButtonLink>
              ) : (
                <ButtonLink to={`/admin/blog/preview/${post.id}`}>Preview</ButtonLink>
              )}
              <ConfirmAct
                label="Delete"
                variant="remove"
                question={postMessages.confirmDelete}
                detail={<DeletionDetail name={post.title} />}
                fields={{ intent: 'delete', id: String(post.id) }}
                action={backTo}
              />
            </>
          )
        }
      >
        <Link to={backTo}>All posts</Link>
      </AdminHeading>
      <PostForm
        key={`${post?.id} ${post?.version}`}
        post={post}
        stored={stored}
        deals={deals}
        answer={actionData}
        cancelHref={backTo}
      />
    </>
  );
}
