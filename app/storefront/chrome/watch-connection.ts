import { fromPattern } from '#app/ui/pattern.ts';
import {
  checkConnection,
  checkEveryMs,
  type ConnectionEvent,
  type ConnectionHealth,
  nextConnectionHealth,
  recoveryShownForMs,
  unchecked,
} from './connection-health.ts';

const patienceMs = 10_000;

let health = unchecked;
let isChecking = false;
let settling: ReturnType<typeof setTimeout> | undefined;

/**
 * Checks the connection on load, every 30 seconds while visible, and when the window gets the
 * focus.
 */
export function watchConnection(): void {
  if (!findCorner()) return;
  const check = () => void checkNow();
  check();
  setInterval(() => {
    if (!document.hidden) check();
  }, checkEveryMs);
  addEventListener('focus', check);
}

export async function checkNow(): Promise<void> {
  if (isChecking) return;
  isChecking = true;
  happen({ type: 'check' });
  const ask = () =>
    fetch('/api/health', { cache: 'no-store', signal: AbortSignal.timeout(patienceMs) });
  happen(await checkConnection(ask, Date.now));
  isChecking = false;
}

export function dismissConnection(): void {
  happen({ type: 'dismiss' });
}

function happen(event: ConnectionEvent): void {
  health = nextConnectionHealth(health, event);
  show(health);
  if (event.type === 'dismiss') return;
  clearTimeout(settling);
  if (event.type === 'success' && health.isTroubled) {
    settling = setTimeout(() => happen({ type: 'settle' }), recoveryShownForMs);
  }
}

const states = { checking: 'Checking...', connected: 'Connected', disconnected: 'Disconnected' };

/** The texts of the badge and the panel. */
const says: Record<string, (health: ConnectionHealth) => string> = {
  state: ({ status, error }) => states[status] + (status === 'disconnected' ? `: ${error}` : ''),
  title: ({ status }) => (status === 'connected' ? states.connected : 'Connection Issue'),
  checked: ({ checkedAt }) =>
    checkedAt === null ? '' : `Last check: ${new Date(checkedAt).toLocaleTimeString('en-US')}`,
  error: ({ error }) => error ?? '',
  retries: ({ retryCount }) => (retryCount > 0 ? `Retry count: ${retryCount}` : ''),
  check: ({ status }) => (status === 'checking' ? states.checking : 'Retry Connection'),
};

function show(present: ConnectionHealth): void {
  const corner = findCorner();
  if (!corner || !present.isTroubled) return corner?.replaceChildren();
  const name = present.isPanelOpen ? 'connection-panel' : 'connection-badge';
  let part = corner.querySelector<HTMLElement>(`[data-pattern="${name}"]`);
  if (!part) {
    corner.replaceChildren(fromPattern(name) ?? '');
    part = corner.firstElementChild as HTMLElement;
  }
  part.dataset['status'] = present.status;
  const retry = part.querySelector('button');
  if (retry) retry.ariaBusy = present.status === 'checking' ? 'true' : null;
  for (const place of part.querySelectorAll<HTMLElement>('[data-says]')) {
    const words = says[place.dataset['says'] ?? '']?.(present) ?? '';
    place.hidden = words === '';
    // Skips unchanged text, since screen readers would announce it again.
    if (place.textContent !== words) place.textContent = words;
  }
}

function findCorner(): HTMLElement | null {
  return document.querySelector('[data-connection]');
}
