/**
 * Every file that is drawn from the owner's icon: squares by their side in pixels, and
 * `favicon.ico`.
 */
export const iconFiles = ['32', '180', '192', '512', 'maskable-512', 'ico'] as const;
export type IconFile = (typeof iconFiles)[number];

/** Paths that browsers, feed readers and phones request without a link. */
const usualPaths: Readonly<Record<string, IconFile>> = {
  '/favicon.ico': 'ico',
  '/favicon.svg': '192',
  '/apple-touch-icon.png': '180',
  '/icon-192.png': '192',
  '/icon-512.png': '512',
  '/icon-maskable-512.png': 'maskable-512',
};

export function isUsualIconPath(path: string): boolean {
  return Object.hasOwn(usualPaths, path);
}

/** Returns the URL of the owner's icon at one of the usual paths. */
export function ownIconAt(path: string, hash: string): string | null {
  const file = usualPaths[path];
  return file === undefined ? null : iconAddress(hash, file);
}

/** Returns the hash of the stored icon, or `null` without one. */
export function iconHash(iconUrl: string): string | null {
  return /\/icon-([\da-f]{12})\.png$/.exec(iconUrl)?.[1] ?? null;
}

/** Returns an icon's URL, which changes with its content. */
export function iconAddress(hash: string, file: IconFile): string {
  return file === 'ico' ? `/brand/icon-${hash}.ico` : `/brand/icon-${hash}-${file}.png`;
}

/** Returns the hash and file that a name under `/brand/` requests, or `null` for another name. */
export function readIconName(name: string): { hash: string; file: IconFile } | null {
  const [, hash, png, ico] = /^icon-([\da-f]{12})(?:-([\w-]*\d)\.png|\.(ico))$/.exec(name) ?? [];
  const file = iconFiles.find((one) => one === (png ?? ico));
  return hash !== undefined && file !== undefined ? { hash, file } : null;
}
