import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';

const secondsPerStep = 30;
const digits = 6;
/** steps; clocks may differ by one */
const drift = 1;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** Letters of keys, without B, G, I, O, S and Z, which look like digits. */
const plainLetters = alphabet.replace(/[BGIOSZ]/g, '');
/** letters; 160 bits, of which 150 are random */
const keyLength = 32;

/**
 * Returns the step of this code, or `null` if it is not later than `lastStep`, so that each code
 * works once.
 */
export function findTotpStep(key: Buffer, code: string, now: Date, lastStep = 0): number | null {
  const plain = code.replace(/\s/g, '');
  if (!/^\d{6}$/.test(plain)) return null;
  const present = Math.floor(now.getTime() / 1000 / secondsPerStep);
  let found: number | null = null;
  for (let step = present - drift; step <= present + drift; step += 1) {
    const isRight = timingSafeEqual(Buffer.from(totpCode(key, step)), Buffer.from(plain));
    if (isRight && step > lastStep) found = step;
  }
  return found;
}

/**
 * Returns the code by RFC 6238 with SHA-1 and 30 seconds, which every authenticator app supports.
 */
export function totpCode(key: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', key).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  const number = (mac.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 10 ** digits;
  return String(number).padStart(digits, '0');
}

/** Returns the key in the form that users type into an app. */
export function toBase32(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  const fives = bits.match(/.{1,5}/g) ?? [];
  return fives.map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

export function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0'));
  const bytes = bits.join('').match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}

/** Returns a new key that is easy to type from a screen. */
export function newTotpKey(): Buffer {
  const draw = () => plainLetters[randomInt(plainLetters.length)];
  return fromBase32(Array.from({ length: keyLength }, draw).join(''));
}

export function totpAddress(key: Buffer, { site, email }: { site: string; email: string }): string {
  const label = `${encodeURIComponent(site)}:${encodeURIComponent(email)}`;
  return `otpauth://totp/${label}?secret=${toBase32(key)}&issuer=${encodeURIComponent(site)}`;
}
