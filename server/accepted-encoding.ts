export type Encoding = 'br' | 'gzip' | 'identity';

const offers = (['br', 'gzip'] as const).map((encoding) => ({
  encoding,
  pattern: new RegExp(`(?:^|,)\\s*${encoding}\\s*(?:;\\s*q=([\\d.]+))?\\s*(?:,|$)`, 'i'),
}));

/** The best encoding this visitor takes. `br;q=0` means "not that one". */
export function acceptedEncoding(header: string | undefined): Encoding {
  if (header === undefined) return 'identity';
  for (const { encoding, pattern } of offers) {
    const part = pattern.exec(header);
    if (part && Number(part[1] ?? 1) > 0) return encoding;
  }
  return 'identity';
}
