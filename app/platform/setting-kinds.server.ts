import { z } from 'zod';
import { readSeveralHosts } from '#database/primary-client.ts';
import { readAddressRange } from '#app/platform/address-ranges.ts';

// Creates the schema of a setting with these values. The message shows them after “it must be”.

export function oneOf<const T extends readonly [string, ...string[]]>(
  values: T,
  fallback: T[number],
) {
  return z.enum(values, { error: `one of ${values.join(', ')}` }).default(fallback as never);
}

export function wholeNumber(least: number, most: number, fallback: number) {
  return z
    .string()
    .refine(
      (value) => /^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most,
      `a whole number from ${least} to ${most}`,
    )
    .transform(Number)
    .default(fallback);
}

export function optionalNumber(least: number, most: number) {
  return wholeNumber(least, most, least).removeDefault().optional();
}

export const text = (pattern: RegExp, allowed: string) => z.string().regex(pattern, allowed);

export function origin() {
  return z
    .string()
    .refine((value) => {
      const url = URL.parse(value);
      if (!url || !/^https?:$/.test(url.protocol)) return false;
      const usual = url.protocol === 'https:' ? ':443' : ':80'; // A default port is allowed.
      return [url.origin, url.origin + usual].includes(value.toLowerCase().replace(/\/$/, ''));
    }, 'scheme, host and port without a path, such as https://deals.example')
    .transform((value) => new URL(value).origin);
}

export function addressOf(protocols: readonly string[], allowed: string) {
  return z.string().refine((value) => isAddressOf(protocols, value), allowed);
}

/** Creates the schema for the URL of one or more servers, of which the writable one is used. */
export function databaseAddress(protocols: readonly string[], allowed: string) {
  return z
    .string()
    .transform(readSeveralHosts)
    .refine((value) => isAddressOf(protocols, value), allowed);
}

export function isAddressOf(protocols: readonly string[], value: string): boolean {
  return protocols.includes(URL.parse(value)?.protocol ?? '');
}

export function words(isValid: (entry: string) => boolean, allowed: string) {
  return z
    .string()
    .transform((value) => value.split(/[\s,]+/).filter(Boolean))
    .refine((entries) => entries.every(isValid), allowed);
}

export function list(isValid: (entry: string) => boolean, allowed: string) {
  return words(isValid, allowed).transform((entries) =>
    entries.map((entry) => entry.toLowerCase()),
  );
}

export const isAddressRange = (entry: string) => readAddressRange(entry) !== null;

export function isHostName(entry: string): boolean {
  return /^(?:\[[0-9a-f:]+\]|[a-z0-9.-]+)(?::\d{1,5})?$/i.test(entry);
}
