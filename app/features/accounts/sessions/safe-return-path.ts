/**
 * Returns the path of this site to return to after signing in, or `/`. Rejects everything a browser
 * could take for another host: `//host`, `/\host`, control characters, schemes.
 */
export function safeReturnPath(text: string | null | undefined): string {
  if (!text || text.length > 2048 || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(text)) return '/';
  const base = 'http://site.invalid';
  const url = URL.parse(text, base);
  if (!url || url.origin !== base) return '/';
  const path = `${url.pathname}${url.search}${url.hash}`;
  // Dot segments may leave a second slash (`/..//host`). Returning to an account form would make no
  // sense.
  if (path.startsWith('//') || /^\/(?:sign-in|sign-up|logout)(?:[/?#]|$)/.test(path)) return '/';
  return path;
}
