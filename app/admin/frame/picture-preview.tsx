import { type ComponentProps, useState } from 'react';
import { pictureAddress } from '#app/platform/safe-url.ts';
import { TextField } from '#app/ui/text-field.tsx';
import styles from './picture-preview.module.css';

/** Previews a picture while its address is typed, and reports if it cannot be loaded. */
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

/** The address of a picture, with its preview. */
export function PictureField({
  defaultValue,
  alt,
  ...field
}: ComponentProps<typeof TextField> & { defaultValue: string; alt: string }) {
  const [address, setAddress] = useState(defaultValue);
  return (
    <>
      <TextField
        {...field}
        inputMode="url"
        value={address}
        onChange={(event) => setAddress(event.target.value)}
      />
      <PicturePreview src={address} alt={alt} />
    </>
  );
}
