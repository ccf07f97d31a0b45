import { createHmac, timingSafeEqual } from 'node:crypto';

/** The outcome of an email after a server accepted it, as a provider reports it. */
export interface MailReport {
  address: string;
  reason: 'bounce' | 'complaint';
  diagnostic: string;
  at: Date | null;
}

/** A provider's request with its raw body, which is the signed text. */
export interface ReportRequest {
  headers: Headers;
  body: Buffer;
  now: Date;
}

/**
 * The result of reading a request. `forged` has no details, so that attackers cannot learn how
 * close they came.
 */
export type ReadReports =
  | { ok: true; reports: MailReport[] }
  | { ok: false; reason: 'forged' | 'malformed' };

export const forged = { ok: false, reason: 'forged' } as const;
export const malformed = { ok: false, reason: 'malformed' } as const;

const toleranceInSeconds = 5 * 60;

/** Returns whether a signed time, in seconds since 1970, is within five minutes of now. */
export function isRecent(seconds: string, now: Date): boolean {
  return (
    /^\d{1,12}$/.test(seconds) &&
    Math.abs(now.getTime() / 1000 - Number(seconds)) <= toleranceInSeconds
  );
}

export function hmac(key: string | Buffer, message: string | Buffer): Buffer {
  return createHmac('sha256', key).update(message).digest();
}

export function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Parses a time. Returns null if it is invalid. */
export function readTime(time: string | number | undefined): Date | null {
  if (time === undefined) return null;
  const at = new Date(typeof time === 'number' ? time * 1000 : time);
  return Number.isNaN(at.getTime()) ? null : at;
}
