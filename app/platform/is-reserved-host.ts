/**
 * Returns whether the host is a reserved name that never resolves (RFC 2606), as in the demo shop.
 * Such hosts are never requested.
 */
export function isReservedHost(host: string): boolean {
  return /(^|\.)(example|invalid|test|localhost|example\.(com|net|org))\.?$/.test(host);
}
