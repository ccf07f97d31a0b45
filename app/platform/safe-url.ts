export type UrlCheck = { ok: true; url: string } | { ok: false; reason: string };

const longestUrl = 2_048;

/**
 * Checks a URL that is stored and linked. The reason continues a sentence after a noun: `link` +
 * `is not an http(s) address`.
 */
export function checkUrl(text: string): UrlCheck {
  const trimmed = text.trim();
  if (trimmed === '') return { ok: false, reason: 'is empty' };
  if (/\p{Cc}/u.test(trimmed)) return { ok: false, reason: 'contains control characters' };
  if (trimmed.length > longestUrl)
    return { ok: false, reason: `is longer than ${longestUrl} characters` };
  const url = URL.parse(trimmed);
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') {
    const shown = trimmed.length <= 80 ? trimmed : `${trimmed.slice(0, 80).toWellFormed()}…`;
    return { ok: false, reason: `is not an http(s) address: ${shown}` };
  }
  if (url.username !== '' || url.password !== '') {
    return { ok: false, reason: 'contains a user name or password' };
  }
  if (url.href.length > longestUrl) {
    return { ok: false, reason: `is longer than ${longestUrl} characters` };
  }
  return { ok: true, url: url.href };
}

/**
 * Checks a picture's URL like `checkUrl`, and requires https, since the content policy lets
 * pages show no other. `http` becomes https, except on a custom port, where no server speaks both.
 */
export function checkPictureUrl(text: string): UrlCheck {
  const checked = checkUrl(text);
  if (!checked.ok || checked.url.startsWith('https:')) return checked;
  const url = new URL(checked.url);
  if (url.port !== '') return { ok: false, reason: 'is not an https address' };
  url.protocol = 'https:';
  return checkUrl(url.href);
}

/**
 * Returns the stored form of a typed picture URL: a path on this site, or any other URL as checked
 * by `checkPictureUrl`. Returns null if it is invalid.
 */
export function pictureAddress(text: string): string | null {
  const trimmed = text.trim();
  if (/^\/media\/[\w./-]+$/.test(trimmed) && !trimmed.includes('..')) return trimmed;
  const checked = checkPictureUrl(trimmed);
  return checked.ok ? checked.url : null;
}

/** Returns the URL in its stored form, or null. */
export function safeUrl(text: string): string | null {
  const checked = checkUrl(text);
  return checked.ok ? checked.url : null;
}
