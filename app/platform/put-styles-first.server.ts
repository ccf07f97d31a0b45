const endOfHead = Buffer.from('</head>');
const scriptPreload = /<link rel="modulepreload"[^>]*>/g;

/**
 * Moves a page's preloads of scripts behind its style sheets. React puts them first, and of a browser's six connections
 * none would be left for the sheets, without which it shows nothing. `page` without the end of its head stays as it is.
 */
export function putStylesFirst(page: Buffer): Buffer {
  const end = page.indexOf(endOfHead);
  if (end === -1) return page;
  const head = page.toString('utf8', 0, end);
  const preloads = head.match(scriptPreload) ?? [];
  if (preloads.length === 0) return page;
  const reordered = head.replaceAll(scriptPreload, '') + preloads.join('');
  return Buffer.concat([Buffer.from(reordered), page.subarray(end)]);
}
