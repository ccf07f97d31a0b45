import { isRouteErrorResponse, Link, useRouteLoaderData } from 'react-router';
import { postMessages } from '#app/features/blog/post-messages.ts';
import { buttonClass } from '#app/ui/button.tsx';
import { ErrorScreen } from '#app/ui/error-screen.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';

/** A post that is not there, said within the frame of the back office; any other failure as everywhere. */
export function PostNotFound({ error }: { error: unknown }) {
  const root = useRouteLoaderData<{ requestId: string | null }>('root');
  if (!isRouteErrorResponse(error) || error.status !== 404) {
    return <ErrorScreen message={null} requestId={root?.requestId ?? null} />;
  }
  return (
    <MessagePanel
      icon="book"
      level={1}
      title={postMessages.notFound}
      actions={
        <Link to="/admin/blog" className={buttonClass({ look: 'primary' })}>
          All posts
        </Link>
      }
    >
      <p>It was deleted, or its number is wrong.</p>
    </MessagePanel>
  );
}
