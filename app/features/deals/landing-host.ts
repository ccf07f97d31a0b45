import networkHosts from './network-hosts.json' with { type: 'json' };

const networks: ReadonlySet<string> = new Set(networkHosts);
/** The names of parameters that contain the target of a network's link. */
const targets =
  'ued u url murl dl r l d dest destination destination_url deeplink deep_link redirect redirect_url target to p epi_url lp eurl mpre ulp urllink page wgtarget redir goto'.split(
    ' ',
  );
const deepest = 4;

/**
 * Returns the host that visitors reach, without `www.`: the merchant's, even if the link goes
 * through a network. Returns an empty string if neither the link nor the merchant's website reveals
 * the host.
 */
export function landingHost(link: string, website: string | null): string {
  const home = hostOf(website ?? '');
  let host = hostOf(link);
  if (host === home) return host;
  let address: string | null = link;
  for (let depth = 0; address !== null && depth < deepest; depth++) {
    host = hostOf(address);
    address = targetOf(address, host);
  }
  return isNetwork(host) ? home : host;
}

/** Returns the URL of another host that is embedded in a parameter or in the path of a URL. */
function targetOf(address: string, host: string): string | null {
  const url = URL.parse(address);
  if (!url) return null;
  const named = targets.map((name) => parameter(url, name));
  const inPath = /https?(?::|%3a)(?:\/|%2f){2}.+$/i.exec(url.pathname)?.[0];
  for (const text of [...named, inPath]) {
    const found = text && decodedAddress(text);
    if (found && hostOf(found) !== host) return found;
  }
  return null;
}

function parameter({ searchParams }: URL, wanted: string): string | undefined {
  for (const [name, value] of searchParams) if (name.toLowerCase() === wanted) return value;
  return undefined;
}

/** Decodes a URL. Some networks encode it twice, and some omit the protocol. */
function decodedAddress(text: string): string | null {
  let plain = text.trim();
  for (let times = 0; times < 2 && /^(?:https?)?(?:%25)?%3a|^https?%|%2f/i.test(plain); times++) {
    try {
      plain = decodeURIComponent(plain);
    } catch {
      return null;
    }
  }
  if (plain.startsWith('//')) plain = `https:${plain}`;
  return /^https?:\/\/[^/?#]+\.[^/?#]+/i.test(plain) && URL.canParse(plain) ? plain : null;
}

function isNetwork(host: string): boolean {
  const parts = host.split('.');
  return parts.some((_, from) => networks.has(parts.slice(from).join('.')));
}

function hostOf(address: string): string {
  return URL.parse(address)?.host.replace(/^www\./, '') ?? '';
}
