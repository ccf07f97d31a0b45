import { pageChanged } from './page-changed.ts';
import { type Field, isField, morph } from './morph.ts';
import { textsOf } from './texts-of.ts';
import { findIslands } from './wake-islands.ts';

/** The parts that a post may change, in the order of the page. A post may sign the visitor in. */
const changingParts: readonly string[] = ['body > header', 'main[id]'];

/**
 * Posts forms with `data-in-place` by script on pages without a router, and shows the response as
 * the page. A refused form keeps the typed values, passwords included. `data-busy` is the label of
 * a button during the post.
 */
export function startPostsInPlace(): void {
  document.addEventListener('submit', (event) => {
    const { target, submitter } = event;
    if (!(target instanceof HTMLFormElement) || event.defaultPrevented) return;
    if (target.dataset['inPlace'] === undefined) return;
    // The browser itself posts to any other URL.
    if (new URL(target.action).pathname !== location.pathname) return;
    event.preventDefault();
    if (!target.ariaBusy) void postInPlace(target, submitter);
  });
}

async function postInPlace(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  const body = textsOf(form, submitter);
  const end = setBusy(form, submitter ?? form.querySelector<HTMLElement>('[type=submit]'));
  try {
    const answer = await fetch(form.action, { method: 'POST', body, headers: { accept } });
    if (await showAnswer(answer)) return end();
  } catch {
    showUnanswered(form);
    return end();
  }
  // Another page follows. If the browser restores this page from its cache, the form is usable
  // again.
  addEventListener('pageshow', end, { once: true });
}

const accept = 'text/html';

function setBusy(form: HTMLFormElement, button: HTMLElement | null): () => void {
  const label = button?.textContent ?? '';
  const busyLabel = button?.dataset['busy'];
  form.ariaBusy = 'true';
  if (button) button.ariaBusy = 'true';
  if (button && busyLabel) button.textContent = busyLabel;
  return () => {
    form.ariaBusy = null;
    if (button) button.ariaBusy = null;
    // The response may have given the button another label.
    if (button && busyLabel && button.textContent === busyLabel) button.textContent = label;
  };
}

/** Reloads the current URL, for example once the session has ended. Typed values are kept. */
export async function showAgain(parts = changingParts): Promise<void> {
  const answer = await fetch(location.href, { headers: { accept } });
  await showAnswer(answer, true, parts);
}

/** Shows the response. Returns false if it redirects to another page. */
async function showAnswer(
  answer: Response,
  keepsTyped = !answer.ok,
  parts = changingParts,
): Promise<boolean> {
  const { redirected, status, url } = answer;
  if (redirected && new URL(url).pathname !== location.pathname) {
    location.assign(url);
    return false;
  }
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const isOurs = page.querySelector('main[id]') !== null;
  if (!isOurs || (status >= 500 && !page.querySelector('[data-failed-act]'))) {
    throw new Error(`The response is not the form’s page: ${status}`);
  }
  if (redirected) history.replaceState(history.state, '', url);
  showPage(page, keepsTyped, parts);
  return true;
}

function showPage(page: Document, keepsTyped: boolean, parts: readonly string[]): void {
  const focused = document.activeElement;
  const { own, sessionEnds } = page.documentElement.dataset;
  Object.assign(document.documentElement.dataset, { own, sessionEnds });
  for (const name of ['own', 'sessionEnds']) {
    if (page.documentElement.dataset[name] === undefined)
      delete document.documentElement.dataset[name];
  }
  document.title = page.title;
  for (const part of parts) {
    const [here, come] = [document, page].map((one) => one.querySelector(part));
    if (!here || !come) continue;
    morph(here, come, keepsTyped ? typedIn(here) : new Map<Element, string>());
    findIslands(here);
  }
  document.dispatchEvent(new Event(pageChanged));
  const note = document.querySelector<HTMLElement>('[data-failed-act]');
  if (note) note.focus();
  else if (focused !== document.activeElement) {
    document.querySelector<HTMLElement>('main[id]')?.focus({ preventScroll: true });
  }
}

/**
 * Returns fields that differ from the page's values. `morph` treats them as changed since the post.
 */
function typedIn(part: Element): Map<Element, string> {
  const fields = [...part.querySelectorAll<Field>('input:not([type=hidden]), select')];
  return new Map(fields.filter(isField).map((field) => [field, `${field.value} before`]));
}

/**
 * Reports above the page that no response arrived. Reports it on the form itself if the form has
 * its own message.
 */
function showUnanswered(form: HTMLFormElement): void {
  const template = document.querySelector<HTMLTemplateElement>('template[data-when="unanswered"]');
  const note = template && document.importNode(template.content, true).firstElementChild;
  if (!template || !(note instanceof HTMLElement)) return form.submit();
  template.parentElement?.querySelector('[data-failed-act]')?.remove();
  template.before(note);
  note.focus();
}
