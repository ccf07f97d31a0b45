import { useEffect, useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { showToast } from '#app/ui/show-toast.ts';
import { sessionMonitorMessages as words, timeLeft } from './session-monitor-messages.ts';
import styles from './session-monitor.module.css';

const checkEveryMs = 10_000;

interface SessionState {
  /** Milliseconds since 1970. `null` once the session has ended. */
  endsAt: number | null;
  isRefreshable: boolean;
  checkedAt: number;
}

/** Shows the state of the user's session for debugging: times, and never a token. */
export function SessionMonitor({ email }: { email: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const [state, setState] = useState<SessionState | null>(null);

  useEffect(() => {
    if (!isOpen) return undefined;
    const stop = new AbortController();
    const check = () => {
      // After a failed check, the time of the last successful check is still shown.
      readState(stop.signal).then(setState, () => {});
    };
    check();
    const timer = setInterval(check, checkEveryMs);
    return () => {
      stop.abort();
      clearInterval(timer);
    };
  }, [isOpen]);

  async function refreshSession(): Promise<void> {
    try {
      const answer = await fetch('/api/session', { method: 'POST' });
      if (answer.ok) showToast(words.refreshed);
      else showToast(words.refreshFailed(reason(answer)), { kind: 'error' });
    } catch {
      showToast(words.refreshError(words.unreachable), { kind: 'error' });
    }
    await readState().then(setState, () => {});
  }

  return (
    <div className={styles.monitor}>
      {isOpen ? (
        <section className={styles.panel} id="session-monitor" aria-label={words.title}>
          <h2>{words.title}</h2>
          <dl className={`stack gap-tight ${styles.facts}`}>
            <Fact name="User" value={email} />
            <Fact name="Status" value={state && (state.endsAt ? words.valid : words.expired)} />
            <Fact name="Expires in" value={state && timeLeft(state.endsAt ?? 0, state.checkedAt)} />
            <Fact
              name="Refresh token"
              value={state && (state.isRefreshable ? words.available : words.missing)}
            />
            <Fact
              name="Last check"
              value={state && new Date(state.checkedAt).toLocaleTimeString('en-US')}
            />
          </dl>
          <div className="row gap-2">
            <Button onClick={() => void refreshSession()}>Refresh Session</Button>
            <Button onClick={() => void testDataAccess()}>Test Data Access</Button>
          </div>
          <p className={styles.note}>{words.note}</p>
        </section>
      ) : null}
      <Button
        variant="primary"
        aria-expanded={isOpen}
        aria-controls="session-monitor"
        onClick={() => setIsOpen(!isOpen)}
      >
        {words.title}
      </Button>
    </div>
  );
}

function Fact({ name, value }: { name: string; value: string | null }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value ?? '…'}</dd>
    </div>
  );
}

async function readState(signal?: AbortSignal): Promise<SessionState> {
  const answer = await fetch('/api/session', signal ? { signal } : {});
  const checkedAt = Date.now();
  if (answer.status === 401) return { endsAt: null, isRefreshable: false, checkedAt };
  const session = (await answer.json()) as { expiresAt: string; isRefreshable: boolean };
  return {
    endsAt: Date.parse(session.expiresAt),
    isRefreshable: session.isRefreshable,
    checkedAt,
  };
}

async function testDataAccess(): Promise<void> {
  try {
    const answer = await fetch('/api/test-data-access');
    if (!answer.ok) {
      showToast(words.dataFailed(reason(answer)), { kind: 'error' });
      return;
    }
    const { deals } = (await answer.json()) as { deals: unknown[] };
    showToast(words.dataRead(deals.length));
  } catch {
    showToast(words.dataFailed(words.unreachable), { kind: 'error' });
  }
}

function reason({ status }: Response): string {
  return status === 401 ? words.over : words.refused(status);
}
