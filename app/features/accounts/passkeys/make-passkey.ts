import { accountMessages } from '../account-messages.ts';
import { createPasskey } from './browser-passkeys.ts';
import { sendWith, announce } from './confirm-by-passkey.ts';

/** Creates the passkey by the options in the page (`AddPasskeyForm`), and posts the result. */
export async function makePasskey(form: HTMLFormElement): Promise<void> {
  const options = form.dataset['passkeyOptions'] ?? '';
  delete form.dataset['passkeyOptions'];
  const button = form.querySelector<HTMLElement>('[type=submit]');
  const label = button?.textContent ?? '';
  if (button) {
    button.ariaBusy = 'true';
    button.textContent = accountMessages.busy;
  }
  const credential = await createPasskey(JSON.parse(options)).catch((error: unknown) => {
    const isThere = error instanceof Error && error.name === 'InvalidStateError';
    const { passkeyExists, passkeyCancelled } = accountMessages;
    announce(form.querySelector('[role=alert]'), isThere ? passkeyExists : passkeyCancelled);
    return null;
  });
  if (button) {
    button.ariaBusy = null;
    button.textContent = label;
  }
  const intent = form.elements.namedItem('intent');
  if (credential === null || !(intent instanceof HTMLInputElement)) return;
  intent.value = 'finish';
  sendWith(form, { credential }, form.querySelector('[data-identity]'));
  intent.value = 'begin';
}
