import { startConfirmingByPasskey } from '#app/features/accounts/passkeys/confirm-by-passkey.ts';
import { makePasskey } from '#app/features/accounts/passkeys/make-passkey.ts';
import { pageChanged } from '#app/islands/page-changed.ts';
import { startPostsInPlace, showAgain } from '#app/islands/post-in-place.ts';
import { sessionEnded } from '#app/islands/reload-when-stale.ts';
import { startDialogs } from '#app/islands/show-dialogs.ts';
import { startShowingPasswords } from '#app/ui/show-password.ts';

export { accountIslands } from './account-islands.ts';

/** Starts the event handlers that only account pages have. */
export async function startAccount(): Promise<void> {
  startConfirmingByPasskey();
  startPostsInPlace();
  startShowingPasswords();
  startDialogs();
  document.addEventListener(sessionEnded, (event) => {
    event.preventDefault();
    showAgain().catch(() => {}); // If an error occurs, the page is unchanged.
  });
  let hasSession = 'sessionEnds' in document.documentElement.dataset;
  document.addEventListener(pageChanged, () => {
    // A form may sign the visitor in without loading a new page.
    if (!hasSession && 'sessionEnds' in document.documentElement.dataset) {
      hasSession = true;
      void keepSession();
    }
    const form = document.querySelector<HTMLFormElement>('form[data-passkey-options]');
    // The form that requested the options is busy until its response is shown.
    if (form) setTimeout(() => void makePasskey(form));
  });
  const logout = document.querySelector<HTMLElement>('[data-logout]');
  if (logout) (await import('./account/log-out.ts')).startLogout(logout);
  if (document.querySelector('[data-region="favorites"]')) {
    (await import('./account/favorites/refresh-favorites.ts')).startFavorites();
  }
}

async function keepSession(): Promise<void> {
  const { keepSessionAlive } =
    await import('#app/features/accounts/sessions/keep-session-alive.ts');
  keepSessionAlive();
}
