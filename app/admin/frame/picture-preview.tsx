import { useState } from 'react';
import { pictureAddress } from '#app/platform/safe-url.ts';
import styles from './picture-preview.module.css';

/** Previews a picture while its URL is typed, and reports if it cannot be loaded. */
export function PicturePreview({ src, alt }: { src: string; alt: string }) {
  const [failed, setFailed] = useState('');
  const address = pictureAddress(src);
  if (address === null) {
    return <p className="small">The picture appears here when you enter its address.</p>;
  }
  if (failed === address) {
    return (
      <p className="small" role="status">
        No picture could be loaded from this address.
      </p>
    );
  }
  return (
    <img
      className={styles.picture}
      src={address}
      alt={alt}
      width={160}
      height={120}
      referrerPolicy="no-referrer"
      onError={() => setFailed(address)}
    />
  );
}
