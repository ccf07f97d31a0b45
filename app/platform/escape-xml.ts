const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it may stand in XML and HTML, between tags or in an attribute of either quote. */
export function escapeXml(text: string): string {
  return withoutForbidden(text).replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** Characters that no XML document may hold, even escaped: most controls, halves of pairs, two non-characters. */
export function withoutForbidden(text: string): string {
  return text
    .toWellFormed()
    .replace(/(?![\t\n\r])\p{Cc}|[\uFFFE\uFFFF]/gu, (character) =>
      character === '\u0085' ? character : '',
    );
}
