import ipaddr from 'ipaddr.js';

/**
 * Whom a limit counts: an IPv4 address, or the /64 of an IPv6 one, which is what one household or one rented machine
 * has to itself. An IPv4 address written as IPv6 is the same visitor.
 */
export function addressKey(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
