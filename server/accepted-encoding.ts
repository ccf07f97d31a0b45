export type Encoding = 'zstd' | 'br' | 'gzip' | 'identity';
type Packed = Exclude<Encoding, 'identity'>;

/** Encodings of stored responses, the smallest output first. */
export const storedEncodings = ['br', 'gzip'] as const;
export type StoredEncoding = (typeof storedEncodings)[number] | 'identity';
/**
 * Encodings for responses to a single visitor. zstd takes half the time of brotli for the same
 * size.
 */
export const passingEncodings = ['zstd', 'br', 'gzip'] as const;

const offerOf = (encoding: Packed) =>
  new RegExp(`(?:^|,)\\s*${encoding}\\s*(?:;\\s*q=([\\d.]+))?\\s*(?:,|$)`, 'i');
const offers = { zstd: offerOf('zstd'), br: offerOf('br'), gzip: offerOf('gzip') };

/** Returns the first of these encodings that this visitor accepts. `br;q=0` excludes `br`. */
export function acceptedEncoding<Offered extends Packed>(
  header: string | undefined,
  encodings: readonly Offered[],
): Offered | 'identity' {
  if (header === undefined) return 'identity';
  for (const encoding of encodings) {
    const part = offers[encoding].exec(header);
    if (part && Number(part[1] ?? 1) > 0) return encoding;
  }
  return 'identity';
}
