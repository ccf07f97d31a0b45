import { iconAddress } from './icon-files.ts';

/** The icons in a page's head: the owner's, or the default ones. */
export function IconLinks({ hash }: { hash: string | null }) {
  if (hash === null) {
    return (
      <>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="icon" href="/favicon.ico" sizes="32x32" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
      </>
    );
  }
  return (
    <>
      <link rel="icon" href={iconAddress(hash, '32')} type="image/png" sizes="32x32" />
      <link rel="icon" href={iconAddress(hash, '192')} type="image/png" sizes="192x192" />
      <link rel="apple-touch-icon" href={iconAddress(hash, '180')} />
    </>
  );
}
