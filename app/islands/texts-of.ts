/** The fields that a form would send, as text. Files have forms of their own. */
export function textsOf(form: HTMLFormElement): URLSearchParams {
  const texts = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (typeof value === 'string') texts.append(name, value);
  }
  return texts;
}
