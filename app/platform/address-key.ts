import ipaddr from 'ipaddr.js';

/**
 * Returns the key that rate limits use for an address: an IPv4 address, or the /64 of an IPv6
 * address, which is one household or one rented server.
 */
export function addressKey(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}

/**
 * Returns the key that identifies an unknown client: its IPv4 address, or the /48 of its IPv6
 * address, since one server may own the whole block.
 */
export function strangerKey(address: string): string {
  return ipaddr.isValid(address) && ipaddr.process(address) instanceof ipaddr.IPv6
    ? networkKey(address)
    : addressKey(address);
}

/**
 * Returns the network in which an address was most likely assigned: the /24 of IPv4, the /48 of
 * IPv6.
 */
export function networkKey(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  const [network, bits] =
    parsed instanceof ipaddr.IPv4
      ? [ipaddr.IPv4.networkAddressFromCIDR(`${parsed.toString()}/24`), 24]
      : [ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/48`), 48];
  return `${network.toString()}/${bits}`;
}
