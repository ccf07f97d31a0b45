const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for XML and HTML, between tags or in a quoted attribute. */
export function escapeXml(text: string): string {
  return withoutForbidden(text).replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

/**
 * Removes characters that no XML document may contain, even escaped: most controls, unpaired
 * surrogates, two non-characters.
 */
export function withoutForbidden(text: string): string {
  return text
    .toWellFormed()
    .replace(/(?![\t\n\r])\p{Cc}|[\uFFFE\uFFFF]/gu, (character) =>
      character === '\u0085' ? character : '',
    );
}
