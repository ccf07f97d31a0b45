export type UrlCheck = { ok: true; url: string } | { ok: false; reason: string };

const longestUrl = 2_048;

/**
 * The rule for every address that is stored or linked (R16): http or https, no user name or password in it,
 * no control characters, at most 2,048 characters, written the way the URL standard writes it.
 * The reason reads after a noun: `link` + `is not an http(s) address: javascript:…`.
 */
export function checkUrl(text: string): UrlCheck {
  const trimmed = text.trim();
  if (trimmed === '') return { ok: false, reason: 'is empty' };
  if (/\p{Cc}/u.test(trimmed)) return { ok: false, reason: 'contains control characters' };
  if (trimmed.length > longestUrl)
    return { ok: false, reason: `is longer than ${longestUrl} characters` };
  const url = URL.parse(trimmed);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.hostname === '') {
    return { ok: false, reason: `is not an http(s) address: ${shorten(trimmed)}` };
  }
  if (url.username !== '' || url.password !== '') {
    return { ok: false, reason: 'carries a user name or password' };
  }
  if (url.href.length > longestUrl) {
    return { ok: false, reason: `is longer than ${longestUrl} characters` };
  }
  return { ok: true, url: url.href };
}

/** The address as it may be stored or linked, or null. */
export function safeUrl(text: string): string | null {
  const checked = checkUrl(text);
  return checked.ok ? checked.url : null;
}

function shorten(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 80).toWellFormed()}…`;
}
