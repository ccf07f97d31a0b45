import { Form, Outlet, useLocation, useNavigation } from 'react-router';
import { Button } from '#app/ui/button.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { AdminHeading } from './admin-heading.tsx';
import type { FailedLoad } from './read-or-fail.server.ts';

/**
 * An error panel for a screen that failed to load. Retry keeps the search, filters and page. An
 * open form stays open.
 */
export function LoadFailure({ title, failure }: { title: string; failure: FailedLoad }) {
  const { pathname, search } = useLocation();
  const navigation = useNavigation();
  const isLoading = navigation.state === 'loading' && navigation.location.pathname === pathname;
  return (
    <>
      <Outlet />
      <AdminHeading title={title} />
      <div role="alert">
        <MessagePanel
          icon="alert"
          title={failure.says}
          actions={
            <Form action={pathname}>
              {[...new URLSearchParams(search)].map(([name, value]) => (
                <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
              ))}
              <Button type="submit" variant="primary" isBusy={isLoading}>
                Retry
              </Button>
            </Form>
          }
        >
          <p>
            See the log for this reference: <code>{failure.requestId}</code>
          </p>
        </MessagePanel>
      </div>
    </>
  );
}
