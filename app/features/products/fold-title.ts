/** Converts a text to lower case without accents. */
export function foldTitle(text: string): string {
  const isPlain = /^[\x20-\x7e]*$/.test(text);
  return (isPlain ? text : text.normalize('NFKD').replace(/\p{M}/gu, '')).toLowerCase();
}

/** Returns only the letters and digits of a text. */
export function bare(text: string): string {
  return text.replace(/[^\p{L}\d]/gu, '');
}
