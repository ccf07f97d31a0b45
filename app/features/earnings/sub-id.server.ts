import { createHmac, timingSafeEqual } from 'node:crypto';
import { siteSecret } from '#app/platform/site-secret.server.ts';
import type { Db } from '#database/connect.ts';
import type { ClickSource } from './click-source.ts';

/** The target of a click: a deal, a coupon, or another link of a newsletter or ad. */
export type ClickTarget = { kind: 'deal' | 'coupon'; id: number } | { kind: 'link' };

/**
 * The content of a sub-id. A sub-id identifies no visitor, so all such clicks of a day share one.
 */
export interface NamedClick {
  target: ClickTarget;
  source: ClickSource;
  /** A day in UTC, such as `2026-11-21`. */
  day: string;
}

const channels = {
  s: 'site',
  n: 'newsletter',
  f: 'feed',
  m: 'mail',
  e: 'elsewhere',
  a: 'site', // followed by the ad's id, if an ad was clicked
  l: 'newsletter', // followed by the link's position in the newsletter
} as const;
const kinds = { d: 'deal', c: 'coupon', l: 'link' } as const;
const firstDay = Date.UTC(2020, 0, 1);
const dayMs = 24 * 3600 * 1000;
/** base-36 characters, 41 bits; each guess requires a sale that a network confirms */
const signatureCharacters = 8;
const form = /^h([snfmeal])([0-9a-z])(?=([0-9a-z]*))/;

/**
 * Returns a sub-id such as `hs0d3abc1ye8q2m4k7p`: about twenty digits and lower-case letters, which
 * every network accepts.
 */
export async function encodeSubId(db: Db, { target, source, day }: NamedClick): Promise<string> {
  const days = Math.round((Date.parse(`${day}T00:00:00Z`) - firstDay) / dayMs);
  const text = [
    'h',
    writeSource(source),
    keyOf(kinds, target.kind),
    withLength(target.kind === 'link' ? 0 : target.id),
    days.toString(36).padStart(3, '0'),
  ].join('');
  return text + (await signatureOf(db, text));
}

/** Decodes a sub-id. Returns `null` if this site did not create it. */
export async function decodeSubId(db: Db, subId: string): Promise<NamedClick | null> {
  const typed = subId.trim().toLowerCase();
  if (!form.test(typed) || typed.length > 50) return null;
  const text = typed.slice(0, -signatureCharacters);
  const given = Buffer.from(typed.slice(-signatureCharacters));
  const expected = Buffer.from(await signatureOf(db, text));
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  const [source, afterSource] = readSource(text);
  const kind = valueOf(kinds, text[afterSource]);
  const [id, dayAt] = readLength(text, afterSource + 1);
  if (!source || !kind) return null;
  const days = Number.parseInt(text.slice(dayAt), 36);
  return {
    target: kind === 'link' ? { kind } : { kind, id },
    source,
    day: new Date(firstDay + days * dayMs).toISOString().slice(0, 10),
  };
}

/** Encodes a source as a letter and numbers. Older sub-ids do not use the letters `a` and `l`. */
function writeSource(source: ClickSource): string {
  if (source.channel === 'newsletter' && source.link !== undefined)
    return `l${withLength(source.newsletterId)}${withLength(source.link)}`;
  if (source.channel === 'site' && source.slotId !== undefined)
    return `a${withLength(source.slotId)}`;
  return keyOf(channels, source.channel) + withLength(source.newsletterId ?? 0);
}

function readSource(text: string): [source: ClickSource | null, next: number] {
  const letter = text[1];
  const channel = valueOf(channels, letter);
  const [id, next] = readLength(text, 2);
  if (letter === 'l') {
    const [link, afterLink] = readLength(text, next);
    return [{ channel: 'newsletter', newsletterId: id, link }, afterLink];
  }
  if (letter === 'a') return [{ channel: 'site', newsletterId: null, slotId: id }, next];
  if (channel === 'newsletter') return [{ channel, newsletterId: id }, next];
  return [channel ? { channel, newsletterId: null } : null, next];
}

async function signatureOf(db: Db, text: string): Promise<string> {
  const key = await siteSecret(db, 'sub-ids');
  const digest = createHmac('sha256', key).update(text).digest();
  return digest
    .readBigUInt64BE(0)
    .toString(36)
    .padStart(signatureCharacters, '0')
    .slice(-signatureCharacters);
}

/**
 * Encodes a number after its length, so that no separator is needed. For zero, only the length 0 is
 * written.
 */
function withLength(value: number): string {
  const digits = value === 0 ? '' : value.toString(36);
  return digits.length.toString(36) + digits;
}

function readLength(text: string, at: number): [value: number, next: number] {
  const length = Number.parseInt(text[at] ?? '0', 36);
  const next = at + 1 + length;
  return [length === 0 ? 0 : Number.parseInt(text.slice(at + 1, next), 36), next];
}

function keyOf<Name extends string>(names: Record<string, Name>, name: Name): string {
  return Object.keys(names).find((key) => names[key] === name) ?? '';
}

function valueOf<Name extends string>(names: Record<string, Name>, key = ''): Name | undefined {
  return Object.hasOwn(names, key) ? names[key] : undefined;
}
