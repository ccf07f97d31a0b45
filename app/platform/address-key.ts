import ipaddr from 'ipaddr.js';

/** Whom a limit counts: an IPv4 address, or the /64 of an IPv6 one, which is one household or one rented machine. */
export function addressKey(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}

/** By what a stranger counts once: an IPv4 address, or the /48 of IPv6, of which one machine may have all the addresses. */
export function strangerKey(address: string): string {
  return ipaddr.isValid(address) && ipaddr.process(address) instanceof ipaddr.IPv6
    ? networkKey(address)
    : addressKey(address);
}

/** The network that an address was most likely given out with others of: the /24 of IPv4, the /48 of IPv6. */
export function networkKey(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  const [network, bits] =
    parsed instanceof ipaddr.IPv4
      ? [ipaddr.IPv4.networkAddressFromCIDR(`${parsed.toString()}/24`), 24]
      : [ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/48`), 48];
  return `${network.toString()}/${bits}`;
}
