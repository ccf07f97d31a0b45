import { type NetworkId, networkOf } from './affiliate-networks.ts';

/**
 * Returns an affiliate link with a sub-id. The rest of the link is preserved character by
 * character. A sub-id that the owner set is never replaced.
 */
export function addSubId(link: string, network: NetworkId, subId: string): string {
  const { parameter, mostCharacters } = networkOf(network);
  if (subId.length > mostCharacters) return link;
  const [, address = '', hash = ''] = /^([^#]*)(#.*)?$/s.exec(link) ?? [];
  const queryAt = address.indexOf('?');
  const path = queryAt === -1 ? address : address.slice(0, queryAt);
  const query = queryAt === -1 ? '' : address.slice(queryAt + 1);
  // CJ deep links have their values in the path: `/links/12/type/dlg/sid/X/https://store.example`.
  const inPath = /^(https?:\/\/[^/]+\/links\/\d+\/type\/dlg\/)(?!sid\/)(.*)$/i.exec(address);
  if (network === 'cj' && /\/type\/dlg\//i.test(path)) {
    return inPath ? `${inPath[1]}sid/${subId}/${inPath[2]}${hash}` : link;
  }
  // Tradedoubler's older links, `click?p(1)a(2)url(…)`, have no query parameters.
  if (query.startsWith('p(')) return link;
  const parts = query.split('&').filter((part) => part !== '');
  if (parts.some((part) => part.startsWith(`${parameter}=`) && part !== `${parameter}=`))
    return link;
  const rest = parts.filter((part) => part !== `${parameter}=`);
  return `${path}?${[...rest, `${parameter}=${subId}`].join('&')}${hash}`;
}
