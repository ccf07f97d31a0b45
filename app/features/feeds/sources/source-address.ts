import { checkUrl } from '#app/platform/safe-url.ts';

export type SourceScheme = 'http' | 'https' | 'ftp' | 'ftps' | 'sftp';

const files = /^(ftps?|sftp):$/;
const longest = 2_048;

export type AddressCheck = { ok: true; url: string } | { ok: false; message: string };

/** Checks the URL of a feed: http, https, FTP, FTPS or SFTP. */
export function checkSourceAddress(text: string): AddressCheck {
  const url = URL.parse(text.trim());
  if (url && (url.username !== '' || url.password !== '')) {
    return { ok: false, message: 'Enter the user name and password in their own fields' };
  }
  const wrong = { ok: false, message: 'Must be a valid URL' } as const;
  if (!url || text.trim().length > longest) return wrong;
  if (!files.test(url.protocol)) {
    const checked = checkUrl(text);
    return checked.ok ? checked : wrong;
  }
  if (url.hostname === '' || pathOf(url) === '' || /\p{Cc}/u.test(text)) return wrong;
  if (pathOf(url).endsWith('/')) {
    return { ok: false, message: 'Must end with the name of a file' };
  }
  return { ok: true, url: url.href };
}

/** Returns the scheme of a URL, or `null` if it is not supported. */
export function schemeOf(location: string): SourceScheme | null {
  const scheme = URL.parse(location)?.protocol.slice(0, -1);
  return schemes.find((known) => known === scheme) ?? null;
}

const schemes: SourceScheme[] = ['http', 'https', 'ftp', 'ftps', 'sftp'];

/** Returns the path on a file server. The path is absolute unless it begins with `/~/`. */
export function pathOf(url: URL): string {
  const path = decode(url.pathname);
  return path === '/' ? '' : path.replace(/^\/~\//, '');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether a stored secret may also be used at this URL. */
export function isSameServer(before: string, after: string): boolean {
  const [one, other] = [URL.parse(before), URL.parse(after)];
  return (
    one !== null && other !== null && one.protocol === other.protocol && one.host === other.host
  );
}
