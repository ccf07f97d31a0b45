import { textsOf } from './texts-of.ts';

/**
 * Sends a form that waits for nobody, and shows the answer in the place of what stands in `main`. So the history has no
 * entry that would send it again. Where it is lost the form has its button.
 */
export async function postAtOnce(form: HTMLFormElement): Promise<void> {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  // Who comes back has its button.
  if (visit?.type === 'back_forward') return;
  form.ariaBusy = 'true';
  try {
    const answer = await fetch(form.action, { method: 'POST', body: textsOf(form) });
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const [here, come] = [document, page].map((one) => one.querySelector<HTMLElement>('main[id]'));
    if (!here || !come) throw new Error('It was answered by something else.');
    here.replaceChildren(...come.childNodes);
    here.focus({ preventScroll: true });
  } catch {
    form.ariaBusy = null;
  }
}
