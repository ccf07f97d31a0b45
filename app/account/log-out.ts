import { showAgain } from '#app/islands/post-in-place.ts';
import { forgetAccount } from './forget-account.ts';
import { logoutTexts } from './logout-texts.ts';

const leavesAfterMs = 1000;
const eachStepShownForMs = 150;

/**
 * Signs out on the logout page: at once if a sign-out form opened the page, otherwise when its
 * button is pressed.
 */
export function startLogout(place: HTMLElement): void {
  const { logout } = place.dataset;
  if (logout === 'done') return void forgetAccount();
  place.addEventListener('submit', (event) => {
    event.preventDefault();
    void logOut(place);
  });
  if (logout === 'begun') void logOut(place);
}

/** Signs out. Each segment of the progress bar represents a completed step. */
async function logOut(place: HTMLElement): Promise<void> {
  const form = place.querySelector('form');
  if (form) form.hidden = true;
  /**
   * Shows a step and waits a moment so that it is visible, since the next step is often done at
   * once.
   */
  const step = (percent: number, text: string) => {
    showProgress(place, percent, text);
    return new Promise((resolve) => setTimeout(resolve, eachStepShownForMs));
  };
  void step(25, 'Signing out...');
  const isEnded = await fetch('/logout', {
    method: 'POST',
    body: new URLSearchParams(),
    headers: { accept: 'application/json' },
  }).then(
    (answer) => answer.ok,
    () => false,
  );
  if (!isEnded) {
    showProgress(place, 25, logoutTexts.failed);
    if (form) form.hidden = false;
    return;
  }
  await step(50, 'Your session has ended.');
  const isClean = forgetAccount();
  await step(75, 'Clearing this browser’s data...');
  await showAgain(['body > header']).catch(() => {}); // The header shows who is signed in.
  await step(90, 'Almost done...');
  void step(100, isClean ? logoutTexts.completed : logoutTexts.completedWithWarnings);
  setTimeout(() => location.replace('/'), leavesAfterMs);
}

function showProgress(place: HTMLElement, percent: number, text: string): void {
  const template = place.querySelector('template');
  if (!place.querySelector('progress') && template) {
    place.prepend(document.importNode(template.content, true));
  }
  const [bar, words] = [place.querySelector('progress'), place.querySelector('[role=status]')];
  if (bar) bar.value = percent;
  if (words) words.textContent = text;
}
