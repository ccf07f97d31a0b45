/** Names that lead nowhere (RFC 2606), as in the demo shop: nobody is asked there. */
export function isReservedHost(host: string): boolean {
  return /(^|\.)(example|invalid|test|localhost|example\.(com|net|org))\.?$/.test(host);
}
