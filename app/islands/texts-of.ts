/** Returns the text fields that a form sends when `submitter` is pressed. Files have separate forms. */
export function textsOf(
  form: HTMLFormElement,
  submitter: HTMLElement | null = null,
): URLSearchParams {
  const texts = new URLSearchParams();
  for (const [name, value] of new FormData(form, submitter)) {
    if (typeof value === 'string') texts.append(name, value);
  }
  return texts;
}
