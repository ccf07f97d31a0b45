/** The state of the page's connection to the site. */
export interface ConnectionHealth {
  status: 'checking' | 'connected' | 'disconnected';
  /** The time of the last response in milliseconds since 1970. `null` before the first one. */
  checkedAt: number | null;
  error: string | null;
  /** The number of failures in a row, which a success resets. */
  retryCount: number;
  /** Whether the status is visible: from the first failure until the recovery has been shown. */
  isTroubled: boolean;
  isPanelOpen: boolean;
}

export type ConnectionEvent =
  | { type: 'check' }
  | { type: 'success'; at: number }
  | { type: 'failure'; at: number; error: string }
  /** The event dispatched once the recovery has been shown. */
  | { type: 'settle' }
  | { type: 'dismiss' };

export const checkEveryMs = 30_000;
export const recoveryShownForMs = 3_000;
export const connectionFailed = 'Connection failed';

export const unchecked: ConnectionHealth = {
  status: 'checking',
  checkedAt: null,
  error: null,
  retryCount: 0,
  isTroubled: false,
  isPanelOpen: false,
};

export function nextConnectionHealth(
  health: ConnectionHealth,
  event: ConnectionEvent,
): ConnectionHealth {
  switch (event.type) {
    case 'check':
      return { ...health, status: 'checking' };
    case 'success':
      return { ...health, status: 'connected', checkedAt: event.at, error: null, retryCount: 0 };
    case 'failure':
      return {
        status: 'disconnected',
        checkedAt: event.at,
        error: event.error,
        retryCount: health.retryCount + 1,
        isTroubled: true,
        isPanelOpen: true,
      };
    case 'settle':
      // The check may have failed again in the meantime.
      if (health.retryCount > 0) return health;
      return { ...health, isTroubled: false, isPanelOpen: false };
    case 'dismiss':
      return { ...health, isPanelOpen: false };
  }
}

/** Checks the site once. Returns an event with the result, and never throws. */
export async function checkConnection(
  fetchHealth: () => Promise<Response>,
  now: () => number,
): Promise<ConnectionEvent> {
  try {
    const answer = await fetchHealth();
    if (answer.ok) {
      await answer.text(); // An unread response blocks its connection until the timeout.
      return { type: 'success', at: now() };
    }
    const body: { error?: unknown } = await answer.json().catch(() => ({}));
    const error = typeof body.error === 'string' ? body.error : connectionFailed;
    return { type: 'failure', at: now(), error };
  } catch {
    return { type: 'failure', at: now(), error: connectionFailed };
  }
}
