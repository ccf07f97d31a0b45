import { encodeQR } from 'qr';
import type { QrPattern } from './qr-code.tsx';

/** modules; readers need this much white around the code (ISO/IEC 18004) */
const quietZone = 4;

/** Returns the QR code of a text, drawn on the server, so that the text stays on this page. */
export function drawQrCode(text: string): QrPattern {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: quietZone });
  const path = rows.flatMap((row, y) => {
    const dark = row.map((isDark) => (isDark ? '#' : ' ')).join('');
    return [...dark.matchAll(/#+/g)].map(
      ({ 0: run, index }) => `M${index} ${y}h${run.length}v1h-${run.length}z`,
    );
  });
  return { size: rows.length, path: path.join('') };
}
