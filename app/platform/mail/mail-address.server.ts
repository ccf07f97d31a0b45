import { domainToASCII } from 'node:url';

const longest = 254;
const longestLocal = 64;
const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const local = new RegExp(`^${atom}(?:\\.${atom})*$`);
const domain = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{2,59})$/;

/**
 * Returns one plain address, or null. No comment, quote, group, list, route or control character
 * ever reaches the mail library or a header. The host is converted to lower-case ASCII, and the
 * local part is unchanged.
 */
export function readMailAddress(text: unknown): string | null {
  if (typeof text !== 'string' || text.length > longest * 2) return null;
  const trimmed = text.trim().normalize('NFC');
  const at = trimmed.lastIndexOf('@');
  const name = trimmed.slice(0, at);
  if (at < 1 || name.length > longestLocal || !local.test(name)) return null;
  // Hosts may contain only letters and digits of any script, dots and hyphens, since domainToASCII
  // accepts more than a mail server should.
  const host = trimmed.slice(at + 1);
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(host)) return null;
  const ascii = domainToASCII(host).toLowerCase();
  if (!domain.test(ascii)) return null;
  const address = `${name}@${ascii}`;
  return address.length <= longest ? address : null;
}

/**
 * Masks an address for logs and tables. The mask is enough to recognize one's own address, and too
 * little to send email to it.
 */
export function maskMailAddress(address: string): string {
  const at = address.lastIndexOf('@');
  return at < 1 ? '…' : `${address[0]}…${address.slice(at)}`;
}
