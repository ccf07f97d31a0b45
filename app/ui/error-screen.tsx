import { useLocation } from 'react-router';
import { Button, buttonClass } from './button.tsx';
import { MessagePanel } from './message-panel.tsx';
import { PriceMark } from './price-mark.tsx';
import styles from './error-screen.module.css';

/**
 * Renders the specification's top-level error screen, with the reference that identifies the log
 * line.
 */
export function ErrorScreen({
  message,
  requestId,
  siteName,
}: {
  message: string | null;
  requestId: string | null;
  /**
   * The site's name, or null if it could not be read. Omit it below a header, which already has the
   * logo.
   */
  siteName?: string | null;
}) {
  const { pathname, search } = useLocation();
  const path = `${pathname}${search}`;
  return (
    <>
      {/* Sets a title, since the failed page's own is gone. */}
      <title>Something went wrong</title>
      {siteName === undefined ? null : (
        <p className={styles.above}>
          <a href="/" className={styles.home}>
            <PriceMark />
            {siteName ?? 'Home'}
          </a>
        </p>
      )}
      <MessagePanel
        icon="alert"
        level={1}
        title="Something went wrong"
        actions={
          <>
            <span data-needs-js>
              <Button variant="primary" data-act="reload">
                Reload Page
              </Button>
            </span>
            <a className={buttonClass()} href={path}>
              Try Again
            </a>
            <a className={buttonClass()} href="/">
              Go to Homepage
            </a>
          </>
        }
      >
        <p>{message ?? 'The page could not be shown. No saved data was lost.'}</p>
        {requestId ? (
          <p>
            If it happens again, tell us this reference: <code>{requestId}</code>
          </p>
        ) : null}
      </MessagePanel>
    </>
  );
}
