import { useState } from 'react';
import { pictureAddress } from '#app/platform/safe-url.ts';
import styles from './picture-preview.module.css';

/** What an address shows, while it is typed; says so when it shows nothing. */
export function PicturePreview({ src, alt }: { src: string; alt: string }) {
  const [failed, setFailed] = useState('');
  const address = pictureAddress(src);
  if (address === null) {
    return <p className={styles.note}>The picture appears here once its address is written.</p>;
  }
  if (failed === address) {
    return (
      <p className={styles.note} role="status">
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
