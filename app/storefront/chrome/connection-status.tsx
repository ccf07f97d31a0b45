import { Button } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { useMadeOnce } from '#app/ui/made-once.ts';
import styles from './connection-status.module.css';

/**
 * A badge and a panel in the corner, shown from a failed check until the recovery. The page
 * contains them as hidden elements, since nothing can be loaded offline. `watch-connection.ts`
 * shows copies.
 */
export function ConnectionStatus() {
  const panel = useMadeOnce('connection panel', <ConnectionPanel />);
  return (
    <>
      <div
        role="status"
        data-connection
        className={styles.corner}
        dangerouslySetInnerHTML={{ __html: '' }}
      />
      <p hidden data-pattern="connection-badge" className={styles.badge}>
        <span data-says="state" />
        <button type="button" data-act="check-connection">
          Retry
        </button>
      </p>
      <section
        hidden
        data-pattern="connection-panel"
        className={styles.panel}
        aria-label="Connection"
        {...panel}
      />
    </>
  );
}

function ConnectionPanel() {
  return (
    <>
      <h2>
        <Icon name="alert" />
        <Icon name="check" />
        <span data-says="title">Connection Issue</span>
      </h2>
      <p data-says="checked" />
      <p data-says="error" className={styles.error} />
      <p data-says="retries" />
      <div className="row gap-2 above-2">
        <Button variant="primary" data-act="check-connection" data-says="check">
          Retry Connection
        </Button>
        <Button data-act="reload">Force Refresh All Data</Button>
        <Button variant="quiet" data-act="dismiss-connection">
          Dismiss
        </Button>
      </div>
    </>
  );
}
