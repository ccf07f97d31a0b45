import styles from './qr-code.module.css';

export interface QrPattern {
  /** The width and height in modules. */
  size: number;
  /** The dark modules as an SVG path. */
  path: string;
}

/** Renders a QR code, black on white in both themes, as cameras expect it. */
export function QrCode({ code: { size, path }, label }: { code: QrPattern; label: string }) {
  return (
    <svg
      className={styles.code}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  );
}
