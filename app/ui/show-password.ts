let isStarted = false;

/** Attaches the buttons that show and hide each password, on pages with and without React. */
export function startShowingPasswords(): void {
  if (isStarted) return;
  isStarted = true;
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element && target.closest('[data-shows-password]');
    const field = button && button.previousElementSibling;
    if (!button || !(field instanceof HTMLInputElement)) return;
    const isShown = field.type === 'password';
    field.type = isShown ? 'text' : 'password';
    // HTML forbids these attributes on password fields, which browsers never capitalize or check.
    field.toggleAttribute('autocapitalize', isShown);
    if (isShown) {
      field.autocapitalize = 'none';
      field.spellcheck = false;
    } else field.removeAttribute('spellcheck');
    button.ariaPressed = String(isShown);
    button.textContent = isShown ? 'Hide' : 'Show';
  });
}
