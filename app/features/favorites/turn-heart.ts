import { isUpToDate, setUpToDate } from '#app/islands/reload-when-stale.ts';
import { showToast } from '#app/ui/show-toast.ts';
import { favoriteListMessages } from './favorite-list-messages.ts';
import { favoriteMessages } from './favorite-messages.ts';

/** The event that the page dispatches after the server has accepted a heart. */
export const heartTurned = 'heart-turned';

interface Answer {
  ok: boolean;
  message?: string;
  lists?: number;
}

/**
 * Changes the heart immediately, and reverts it with a message if the server rejects the change.
 * Until the response arrives, clicks are ignored.
 */
export async function turnHeart(heart: HTMLFormElement): Promise<void> {
  if (heart.ariaBusy) return;
  const { favorite: dealId = '' } = heart.dataset;
  const wasOn = heart.querySelector('[aria-pressed="true"]') !== null;
  const wasUpToDate = isUpToDate();
  showHearts(dealId, !wasOn, true);
  const answer = await post({ deal_id: dealId, want: wasOn ? 'unset' : 'set' });
  showHearts(dealId, answer.ok ? !wasOn : wasOn, false);
  if (!answer.ok) {
    showToast(answer.message ?? favoriteMessages.failed, { kind: 'error' });
    return;
  }
  if (wasUpToDate) setUpToDate();
  document.dispatchEvent(new Event(heartTurned));
  if (wasOn) offerUndo(dealId, answer.lists ?? 0);
}

/**
 * Offers an undo after a favorite is removed, if its card left the page or its deal was in lists.
 */
function offerUndo(dealId: string, lists: number): void {
  if (lists === 0 && !document.querySelector('[data-region="favorites"]')) return;
  const undo = async () => {
    const { ok, message } = await post({ deal_id: dealId, want: 'set' });
    if (!ok) return showToast(message ?? favoriteMessages.failed, { kind: 'error' });
    showHearts(dealId, true, false);
    document.dispatchEvent(new Event(heartTurned));
  };
  const act = { label: 'Undo', onAct: () => void undo() };
  showToast(favoriteListMessages.removed(lists), { act });
}

function post(fields: Record<string, string>): Promise<Answer> {
  // `keepalive` completes the request even if the visitor leaves the page immediately.
  const body = new URLSearchParams(fields);
  return fetch('/api/favorites', { method: 'POST', body, keepalive: true })
    .then((response): Promise<Answer> => response.json())
    .catch(() => ({ ok: false }));
}

/** Updates every heart of the deal, which may appear twice on its page. */
function showHearts(dealId: string, isOn: boolean, isBusy: boolean): void {
  const busy = isBusy ? 'true' : null;
  for (const heart of document.querySelectorAll(`form[data-favorite="${dealId}"]`)) {
    heart.ariaBusy = busy;
    heart.querySelector('[name="want"]')?.setAttribute('value', isOn ? 'unset' : 'set');
    const button = heart.querySelector('button');
    if (!button) continue;
    button.ariaPressed = String(isOn);
    // The button is not set to `disabled`, which would remove the focus.
    button.ariaDisabled = busy;
    const words = button.querySelector<HTMLElement>('[data-on]');
    if (words) words.textContent = words.dataset[isOn ? 'on' : 'off'] ?? '';
  }
}
