/** Reserved names that never resolve (RFC 2606), as in the demo shop: they are never requested. */
export function isReservedHost(host: string): boolean {
  return /(^|\.)(example|invalid|test|localhost|example\.(com|net|org))\.?$/.test(host);
}
