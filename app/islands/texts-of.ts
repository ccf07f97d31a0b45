/** What a form would send, for a post of text. Files have forms of their own. */
export function textsOf(form: HTMLFormElement): URLSearchParams {
  const texts = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (typeof value === 'string') texts.append(name, value);
  }
  return texts;
}
