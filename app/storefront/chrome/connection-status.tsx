import { useCallback, useEffect, useReducer, useRef } from 'react';
import { Button } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import {
  checkConnection,
  checkEveryMs,
  type ConnectionHealth,
  nextConnectionHealth,
  recoveryShownForMs,
  unchecked,
} from './connection-health.ts';
import styles from './connection-status.module.css';

const patienceMs = 10_000;

/** A badge and a panel at the corner, from a failed check until the recovery has been shown; else nothing. */
export function ConnectionStatus() {
  const { health, check, dismiss } = useConnectionHealth();
  if (!health.isTroubled) return <div role="status" className={styles.corner} />;
  return (
    <div role="status" className={styles.corner}>
      {health.isPanelOpen ? (
        <Panel health={health} onRetry={check} onDismiss={dismiss} />
      ) : (
        <Badge health={health} onRetry={check} />
      )}
    </div>
  );
}

const words = { checking: 'Checking...', connected: 'Connected', disconnected: 'Disconnected' };

function Badge({ health, onRetry }: { health: ConnectionHealth; onRetry: () => void }) {
  return (
    <p className={styles.badge} data-status={health.status}>
      <span>
        {words[health.status]}
        {health.status === 'disconnected' ? `: ${health.error}` : ''}
      </span>
      {health.status === 'disconnected' ? (
        <button type="button" onClick={onRetry}>
          Retry
        </button>
      ) : null}
    </p>
  );
}

function Panel({
  health: { status, checkedAt, error, retryCount },
  onRetry,
  onDismiss,
}: {
  health: ConnectionHealth;
  onRetry: () => void;
  onDismiss: () => void;
}) {
  const isConnected = status === 'connected';
  return (
    <section className={styles.panel} data-status={status} aria-label="Connection">
      <h2>
        <Icon name={isConnected ? 'check' : 'alert'} />
        {isConnected ? 'Connected' : 'Connection Issue'}
      </h2>
      {checkedAt === null ? null : (
        <p>Last check: {new Date(checkedAt).toLocaleTimeString('en-US')}</p>
      )}
      {error === null ? null : <p className={styles.error}>{error}</p>}
      {retryCount > 0 ? <p>Retry count: {retryCount}</p> : null}
      <div className={styles.actions}>
        <Button look="primary" isBusy={status === 'checking'} onClick={onRetry}>
          {status === 'checking' ? 'Checking...' : 'Retry Connection'}
        </Button>
        <Button onClick={() => location.reload()}>Force Refresh All Data</Button>
        <Button look="quiet" onClick={onDismiss}>
          Dismiss
        </Button>
      </div>
    </section>
  );
}

/** Checks on load, every 30 seconds while the page is seen, and when the window gets the focus. */
function useConnectionHealth() {
  const [health, send] = useReducer(nextConnectionHealth, unchecked);
  const isChecking = useRef(false);

  const check = useCallback(() => {
    if (isChecking.current) return;
    isChecking.current = true;
    send({ type: 'check' });
    const ask = () =>
      fetch('/api/health', { cache: 'no-store', signal: AbortSignal.timeout(patienceMs) });
    void (async () => {
      const event = await checkConnection(ask, Date.now);
      isChecking.current = false;
      send(event);
    })();
  }, []);

  useEffect(() => {
    check();
    const timer = setInterval(() => {
      if (!document.hidden) check();
    }, checkEveryMs);
    addEventListener('focus', check);
    return () => {
      clearInterval(timer);
      removeEventListener('focus', check);
    };
  }, [check]);

  const isRecovered = health.isTroubled && health.status === 'connected';
  useEffect(() => {
    if (!isRecovered) return undefined;
    const timer = setTimeout(() => send({ type: 'settle' }), recoveryShownForMs);
    return () => clearTimeout(timer);
  }, [isRecovered]);

  const dismiss = useCallback(() => send({ type: 'dismiss' }), []);
  return { health, check, dismiss };
}
