export function readGtin(text: string | undefined): string | null {
  // A list of codes in any format, or a code with spaces and hyphens.
  for (const part of (text ?? '').split(/[,;|/[\]"']+/)) {
    const digits = part.replace(/[\s-]/g, '').replace(/^(\d+)\.0+$/, '$1');
    if (/^\d{8,14}$/.test(digits)) return digits;
    const first = part.trim().split(/\s+/, 1)[0] ?? '';
    if (/^\d{8,14}$/.test(first)) return first;
  }
  return null;
}
