import { Link } from 'react-router';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import type { Route } from './+types/new-post-page';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { backToList } from '#app/admin/frame/back-to-list.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { PostForm } from './post-form.tsx';
import { newPostTexts } from './post-texts.ts';
import { savePost } from './save-post.server.ts';

export function loader({ request, context }: Route.LoaderArgs) {
  requireRight(context, 'blog.write');
  return { backTo: backToList(request.url, '/admin/blog') };
}

export async function action({ request, context }: Route.ActionArgs) {
  requireRight(context, 'blog.write');
  const backTo = backToList(request.url, '/admin/blog');
  return savePost(context, await readFormBody(request), { id: null, backTo });
}

export function meta() {
  return [{ title: 'New Blog Post' }];
}

export default function NewPostPage({ loaderData, actionData }: Route.ComponentProps) {
  const { name } = useSite();
  const { backTo } = loaderData;
  return (
    <>
      <AdminHeading title="New Blog Post">
        <Link to={backTo}>All posts</Link>
      </AdminHeading>
      <PostForm post={null} stored={newPostTexts(name)} answer={actionData} cancelHref={backTo} />
    </>
  );
}
