/** The canonical spelling of a URL, or the response if there is none. */
export type NormalisedPath =
  | { ok: true; pathname: string; search: string }
  | { ok: false; status: 301; location: string }
  | { ok: false; status: 400 | 414 };

const longestTarget = 2048;
const bad = { ok: false, status: 400 } as const;

/**
 * Normalizes a path, so that later checks see only one spelling. Rejects paths that no browser
 * would send, and redirects other spellings.
 */
export function normalisePath(target: string): NormalisedPath {
  if (target.length > longestTarget) return { ok: false, status: 414 };
  if (!target.startsWith('/')) return bad; // such as `*` or `http://other.host/`
  const cut = target.indexOf('?');
  const path = cut < 0 ? target : target.slice(0, cut);
  const search = cut < 0 || cut === target.length - 1 ? '' : target.slice(cut);
  // Rejects encoded slashes and backslashes, and characters that are invalid in URLs.
  if (/%(?:2f|5c|00)|[\\#\s\p{Cc}]/iu.test(path)) return bad;
  if (/%00|[\s\p{Cc}]/u.test(search)) return bad; // PostgreSQL cannot store NUL.
  const spelled = respell(path);
  if (spelled === null) return bad;
  const collapsed = spelled.replace(/\/{2,}/g, '/');
  if (/\/\.{1,2}(?:\/|$)/.test(collapsed)) return bad;
  const pathname = collapsed.length > 1 ? collapsed.replace(/\/$/, '') : collapsed;
  if (pathname !== path) return { ok: false, status: 301, location: pathname + search };
  return { ok: true, pathname, search };
}

/**
 * Percent-encodes only where necessary, with upper-case hex digits. Returns null for bytes that are
 * not valid text.
 */
function respell(path: string): string | null {
  try {
    return path
      .split('/')
      .map((part) =>
        encodeURIComponent(decodeURIComponent(part)).replace(
          /%(?:24|26|2B|2C|3A|3B|3D|40)/g,
          decodeURIComponent,
        ),
      )
      .join('/');
  } catch {
    return null;
  }
}
