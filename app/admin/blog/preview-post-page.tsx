import { data } from 'react-router';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import type { Route } from './+types/preview-post-page';
import { findEditablePost } from '#app/features/blog/change-post.server.ts';
import { PostArticle } from '#app/features/blog/post-article.tsx';
import { postMessages } from '#app/features/blog/post-messages.ts';
import { postState } from '#app/features/blog/post-state.ts';
import { PricedDealCard } from '#app/features/prices/priced-deal-card.tsx';
import { showPostContent } from '#app/features/products/show-post.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { appServices } from '#app/platform/app-context.server.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { fullTime } from '#app/platform/time-words.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { titled } from '#app/admin/frame/titled.ts';
import { Link } from '#app/ui/link.tsx';

/** Shows a post as readers will see it, for staff only, since a draft has no public URL. */
export async function loader({ params, context }: Route.LoaderArgs) {
  requireRight(context, 'blog.read');
  const services = appServices(context);
  const { db, now } = services;
  const post = await findEditablePost(db, parseRowId(params.id) ?? 0);
  if (!post) throw data({ missing: postMessages.notFound }, { status: 404 });
  const { parts } = await showPostContent(services, post.content, await readSiteSettings(db));
  return {
    post: { ...post, shown_at: post.published_at ?? now() },
    parts,
    now: now(),
    state: postState(post, now()),
  };
}

export const meta = titled('Preview');

export default function PreviewPostPage({ loaderData }: Route.ComponentProps) {
  const { post, parts, now, state } = loaderData;
  const { timeZone } = useSite();
  const words = {
    draft: 'Draft: only staff can see this.',
    scheduled: `Scheduled: readers see this from ${fullTime(post.shown_at, timeZone)}.`,
    published: 'Published: readers can see this.',
  };
  return (
    <>
      <AdminHeading
        title="Preview"
        more={
          <ButtonLink to={`/admin/blog/edit/${post.id}`} data-key-edit>
            Edit
          </ButtonLink>
        }
      >
        {words[state]} <Link to="/admin/blog">All posts</Link>
      </AdminHeading>
      <PostArticle
        post={post}
        parts={parts}
        renderDeal={(priced) => <PricedDealCard priced={priced} now={now} headingLevel={3} />}
        headingLevel={2}
      />
    </>
  );
}
