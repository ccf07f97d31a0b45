import { showPasskeys } from '#app/features/accounts/passkeys/browser-passkeys.ts';
import { startPostsInPlace, showAgain } from '#app/islands/post-in-place.ts';
import { sessionEnded } from '#app/islands/reload-when-stale.ts';
import { startShowingPasswords } from '#app/ui/show-password.ts';

export { accountIslands } from './account-islands.ts';

/** What the pages of an account do beside what every page does. */
export function startAccount(): void {
  showPasskeys();
  startPostsInPlace();
  startShowingPasswords();
  document.addEventListener(sessionEnded, (event) => {
    event.preventDefault();
    showAgain().catch(() => {}); // the page stays as it is
  });
}
