/** What the page knows of its connection to the site (storefront, section 4). */
export interface ConnectionHealth {
  status: 'checking' | 'connected' | 'disconnected';
  /** In milliseconds since 1970; null before the first answer. */
  checkedAt: number | null;
  error: string | null;
  /** Failures in a row; the first success ends the row. */
  retryCount: number;
  /** From the first failure until the recovery has been shown. */
  isTroubled: boolean;
  isPanelOpen: boolean;
}

export type ConnectionEvent =
  | { type: 'check' }
  | { type: 'success'; at: number }
  | { type: 'failure'; at: number; error: string }
  /** The recovery has been seen. */
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
      // It may have failed again in the meantime.
      if (health.retryCount > 0) return health;
      return { ...health, isTroubled: false, isPanelOpen: false };
    case 'dismiss':
      return { ...health, isPanelOpen: false };
  }
}

/** Asks the site once. The event says how it went; nothing is thrown. */
export async function checkConnection(
  fetchHealth: () => Promise<Response>,
  now: () => number,
): Promise<ConnectionEvent> {
  try {
    const answer = await fetchHealth();
    if (answer.ok) {
      await answer.text(); // an answer that is not read keeps its connection busy until the time is over
      return { type: 'success', at: now() };
    }
    const body: { error?: unknown } = await answer.json().catch(() => ({}));
    const error = typeof body.error === 'string' ? body.error : connectionFailed;
    return { type: 'failure', at: now(), error };
  } catch {
    return { type: 'failure', at: now(), error: connectionFailed };
  }
}
