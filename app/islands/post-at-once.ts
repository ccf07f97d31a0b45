import { textsOf } from './texts-of.ts';

/**
 * Submits a form without user action, and shows the response in `main`. No history entry can then
 * resubmit the form. If the post fails, the form still has its button.
 */
export async function postAtOnce(form: HTMLFormElement): Promise<void> {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  // A visitor who navigates back can use the button.
  if (visit?.type === 'back_forward') return;
  form.ariaBusy = 'true';
  try {
    const answer = await fetch(form.action, { method: 'POST', body: textsOf(form) });
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const [here, come] = [document, page].map((one) => one.querySelector<HTMLElement>('main[id]'));
    if (!here || !come) throw new Error('The server sent an unexpected response.');
    here.replaceChildren(...come.childNodes);
    here.focus({ preventScroll: true });
  } catch {
    form.ariaBusy = null;
  }
}
