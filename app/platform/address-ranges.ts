import ipaddr from 'ipaddr.js';

/**
 * Returns an address or range (CIDR) in its canonical spelling, or null. Ambiguous leading zeros
 * and local zones are rejected.
 */
export function readAddressRange(text: string): string | null {
  const [address = '', bits, ...more] = text.trim().split('/');
  const parsed = parseAddress(address);
  if (!parsed || more.length > 0) return null;
  if (bits === undefined) return ipaddr.process(address).toString();
  if (!/^(?:0|[1-9]\d{0,2})$/.test(bits)) return null;
  return spellRange(parsed, Number(bits));
}

/**
 * Returns a predicate for addresses within these ranges, which are parsed once. `::ffff:10.0.0.1`
 * equals `10.0.0.1`.
 */
export function addressRanges(ranges: readonly string[]): (address: string) => boolean {
  const parsed = ranges.flatMap((range) => {
    const [address, bits] = readAddressRange(range)?.split('/') ?? [];
    if (address === undefined) return [];
    const network = ipaddr.parse(address);
    return { network, bits: Number(bits ?? (network.kind() === 'ipv4' ? 32 : 128)) };
  });
  return (address) => {
    const [plain = ''] = address.split('%', 1);
    if (!ipaddr.isValid(plain)) return false;
    const visitor = ipaddr.process(plain);
    return parsed.some(
      ({ network, bits }) =>
        network.kind() === visitor.kind() && visitor.match([network, bits] as never),
    );
  };
}

type Address = ReturnType<typeof ipaddr.parse>;

function parseAddress(text: string): Address | null {
  const plain = text.slice(text.lastIndexOf(':') + 1);
  if (plain.includes('.') && !ipaddr.IPv4.isValidFourPartDecimal(plain)) return null;
  const isValid = text.includes(':')
    ? !text.includes('%') && ipaddr.IPv6.isValid(text)
    : ipaddr.IPv4.isValidFourPartDecimal(text);
  return isValid ? ipaddr.parse(text) : null;
}

function spellRange(address: Address, bits: number): string | null {
  if (bits > (address.kind() === 'ipv4' ? 32 : 128)) return null;
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress()) {
    return bits < 96 ? null : spellRange(address.toIPv4Address(), bits - 96);
  }
  const family = address instanceof ipaddr.IPv4 ? ipaddr.IPv4 : ipaddr.IPv6;
  const network = family.networkAddressFromCIDR(`${address.toString()}/${bits}`);
  return `${network.toString()}/${bits}`;
}
