import { isPublicAddress } from './public-address.server.ts';
import type { UrlCheck } from './safe-url.ts';

const privateNames = /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home\.arpa)$/;

/**
 * Refuses a checked address whose host visitors can't reach: `localhost`, a name without a dot, or
 * a private network.
 */
export function requirePublicHost(checked: UrlCheck): UrlCheck {
  if (!checked.ok) return checked;
  const host = (/^https?:\/\/(\[[^\]]*\]|[^/:?#]*)/.exec(checked.url)?.[1] ?? '').replace(
    /\.$/,
    '',
  );
  if (isPublicHost(host)) return checked;
  return {
    ok: false,
    reason: `points to ${host.slice(0, 80)}, which is not on the public internet`,
  };
}

function isPublicHost(host: string): boolean {
  if (host.startsWith('[')) return isPublicAddress(host.slice(1, -1));
  if (/^\d+(?:\.\d+){3}$/.test(host)) return isPublicAddress(host);
  return host.includes('.') && !privateNames.test(host);
}
