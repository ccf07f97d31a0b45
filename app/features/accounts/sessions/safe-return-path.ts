/**
 * A path of this site to go back to after signing in, or `/`. Whatever a browser could read as another host is
 * refused: `//host`, `/\host`, control characters, schemes (R28).
 */
export function safeReturnPath(text: string | null | undefined): string {
  if (!text || text.length > 2048 || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(text)) return '/';
  const base = 'http://site.invalid';
  const url = URL.parse(text, base);
  if (!url || url.origin !== base) return '/';
  const path = `${url.pathname}${url.search}`;
  // Dots may have made a second slash: `/..//host`. And back to a form of the account leads nowhere.
  if (path.startsWith('//') || /^\/(?:sign-in|sign-up|logout)(?:[/?]|$)/.test(path)) return '/';
  return path;
}
