import type { SubIdNetwork } from '#app/features/merchants/merchant-input.ts';

export type NetworkId = Exclude<SubIdNetwork, 'auto' | 'off'>;

/** An affiliate network, and how its links carry a sub-id. */
export interface AffiliateNetwork {
  name: string;
  /** Hosts of its links; subdomains match as well. */
  hosts: readonly string[];
  /** The path of its links, if brands use their own hosts. */
  path?: RegExp;
  /** The parameter that carries a sub-id, and the maximum length of its value. */
  parameter: string;
  mostCharacters: number;
}

const affiliateNetworks: Record<NetworkId, AffiliateNetwork> = {
  awin: {
    name: 'Awin',
    hosts: ['awin1.com', 'zenaps.com', 'tidd.ly'],
    parameter: 'clickref',
    mostCharacters: 50,
  },
  cj: {
    name: 'CJ',
    hosts: [
      'anrdoezrs.net',
      'dpbolvw.net',
      'jdoqocy.com',
      'kqzyfj.com',
      'tkqlhce.com',
      'qksrv.net',
      'emjcd.com',
      'ftjcfx.com',
      'lduhtrp.net',
      'tqlkg.com',
      'awltovhc.com',
      'yceml.net',
      'cj.dotomi.com',
    ],
    parameter: 'sid',
    mostCharacters: 64,
  },
  // pubhelp.rakutenadvertising.com, "Signature Implementation Guidelines": at most 72 alphanumeric
  // characters.
  rakuten: {
    name: 'Rakuten',
    hosts: ['linksynergy.com'],
    parameter: 'u1',
    mostCharacters: 72,
  },
  impact: {
    name: 'Impact',
    hosts: ['sjv.io', 'pxf.io', 'evyy.net', '7eer.net', 'ojrq.net'],
    path: /^\/c\/\d+\/\d+\/\d+/,
    parameter: 'subId1',
    mostCharacters: 255,
  },
  shareasale: {
    name: 'ShareASale',
    hosts: ['shareasale.com', 'shareasale-analytics.com'],
    parameter: 'afftrack',
    mostCharacters: 255,
  },
  tradedoubler: {
    name: 'Tradedoubler',
    hosts: ['tradedoubler.com'],
    parameter: 'epi',
    mostCharacters: 100,
  },
  admitad: {
    name: 'Admitad',
    hosts: [
      'ad.admitad.com',
      'alitems.com',
      'alitems.site',
      'lenkmio.com',
      'rzekl.com',
      'wextap.com',
      'pafutos.com',
    ],
    path: /^\/g\/[a-z0-9]{16,}\/?/i,
    parameter: 'subid',
    mostCharacters: 50,
  },
};

export const networkIds = Object.keys(affiliateNetworks).filter(isNetworkId);

export function isNetworkId(text: string): text is NetworkId {
  return Object.hasOwn(affiliateNetworks, text);
}

export function networkOf(id: NetworkId): AffiliateNetwork {
  return affiliateNetworks[id];
}

/** Returns the network of an affiliate link, by its host or the form of its path. */
export function recogniseNetwork(link: string): NetworkId | null {
  const url = URL.parse(link);
  if (!url) return null;
  const isOf = (hosts: readonly string[]) =>
    hosts.some((host) => url.hostname === host || url.hostname.endsWith(`.${host}`));
  const byHost = networkIds.find((id) => isOf(networkOf(id).hosts));
  return byHost ?? networkIds.find((id) => networkOf(id).path?.test(url.pathname)) ?? null;
}
