export type Encoding = 'br' | 'gzip' | 'identity';

/** The best encoding this visitor takes. `br;q=0` means "not that one". */
export function acceptedEncoding(header: string | undefined): Encoding {
  if (header === undefined) return 'identity';
  for (const encoding of ['br', 'gzip'] as const) {
    const part = new RegExp(`(?:^|,)\\s*${encoding}\\s*(?:;\\s*q=([\\d.]+))?\\s*(?:,|$)`, 'i').exec(
      header,
    );
    if (part && Number(part[1] ?? 1) > 0) return encoding;
  }
  return 'identity';
}
