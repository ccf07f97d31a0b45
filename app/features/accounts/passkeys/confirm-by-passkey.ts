import { closest } from '#app/islands/pressed.ts';
import noticeStyles from '#app/ui/form-notice.module.css';
import { passkeyProblem, showPasskeys, signWithPasskey } from './browser-passkeys.ts';

let isStarted = false;

/**
 * Attaches the event handlers of the passkey buttons of `IdentityField`, on pages with and without
 * React.
 */
export function startConfirmingByPasskey(): void {
  showPasskeys();
  if (isStarted) return;
  isStarted = true;
  document.addEventListener('click', ({ target }) => {
    const button = closest(target, '[data-confirms-by-passkey]');
    if (button instanceof HTMLButtonElement && !button.ariaBusy) void confirm(button);
  });
}

async function confirm(button: HTMLButtonElement): Promise<void> {
  const place = closest(button, '[data-identity]');
  const { form, previousElementSibling: notice } = button;
  if (!form || !place) return;
  button.ariaBusy = 'true';
  notice?.replaceChildren();
  try {
    const credential = await signWithPasskey('confirm');
    sendWith(form, { credential }, place);
  } catch (failure) {
    announce(notice, passkeyProblem(failure));
  }
  button.ariaBusy = null;
}

/**
 * Submits a form with additional `fields`, which are valid for one attempt. The inputs within
 * `replaced` are not sent.
 */
export function sendWith(
  form: HTMLFormElement,
  fields: Record<string, string>,
  replaced: Element | null,
): void {
  const added = Object.entries(fields).map(([name, value]) =>
    Object.assign(document.createElement('input'), { type: 'hidden', name, value }),
  );
  const typed = [...(replaced?.querySelectorAll('input') ?? [])].filter(
    ({ disabled }) => !disabled,
  );
  for (const field of typed) field.disabled = true;
  form.append(...added);
  form.requestSubmit();
  for (const field of added) field.remove();
  for (const field of typed) field.disabled = false;
}

/** Shows an error in the region of a `FormNotice`. */
export function announce(region: Element | null, text: string): void {
  const notice = Object.assign(document.createElement('p'), { textContent: text });
  notice.className = noticeStyles.notice ?? '';
  notice.dataset['kind'] = 'error';
  region?.replaceChildren(notice);
}
