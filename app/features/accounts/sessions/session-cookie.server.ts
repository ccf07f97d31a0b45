/**
 * `__Host-` binds the cookie to this host and to https; without https the browser would drop it.
 */
export function sessionCookieName(origin: string): string {
  return cookieName('session', origin);
}

export function cookieName(name: string, origin: string): string {
  return origin.startsWith('https:') ? `__Host-${name}` : name;
}

/**
 * Returns a cookie's value as sent, or `null`. If two cookies have the name, the first one is used.
 */
export function readCookie(request: Request, name: string): string | null {
  for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
    const [key, ...value] = pair.split('=');
    if (key?.trim() === name) return value.join('=').trim() || null;
  }
  return null;
}

/** Returns a `Set-Cookie` line. Zero seconds delete the cookie. */
export function writeCookie(
  name: string,
  value: string,
  { origin, seconds }: { origin: string; seconds: number },
): string {
  const secure = origin.startsWith('https:') ? '; Secure' : '';
  return `${cookieName(name, origin)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}

export function endSessionCookie(origin: string): string {
  return writeCookie('session', '', { origin, seconds: 0 });
}
