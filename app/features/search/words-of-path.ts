/** The words of the longest part of a path: `/products/usb-c-cable.html` → `usb c cable`. */
export function wordsOfPath(path: string): string {
  const parts = path.split('/').map((part) =>
    part
      .replace(/\.\w+$/, '')
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim(),
  );
  return parts.toSorted((a, b) => b.length - a.length)[0] ?? '';
}
