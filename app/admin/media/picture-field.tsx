import { type ComponentProps, type ReactNode, useRef, useState } from 'react';
import { PicturePreview } from '#app/admin/frame/picture-preview.tsx';
import { putValue } from '#app/admin/frame/put-value.ts';
import { Button } from '#app/ui/button.tsx';
import { Link } from '#app/ui/link.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import styles from './picture-field.module.css';
import { PicturePicker } from './picture-picker.tsx';
import { UploadButton } from './upload-button.tsx';
import { picturesIn } from './upload-pictures.ts';
import { usePictureUpload } from './use-picture-upload.ts';

/**
 * The URL of a picture with its preview. A picture can be picked from the library, uploaded,
 * dropped on the field or pasted into it. Without JavaScript there is only the URL.
 */
export function PictureField({
  defaultValue,
  alt,
  onAddress,
  preview,
  ...field
}: ComponentProps<typeof TextField> & {
  name: string;
  defaultValue: string;
  /** The alt text of the preview. */
  alt: string;
  /** Receives the URL while it is typed or picked. */
  onAddress?: (address: string) => void;
  /** A preview in place of the usual one. */
  preview?: ReactNode;
}) {
  const place = useRef<HTMLDivElement>(null);
  const [address, setAddress] = useState(defaultValue);
  const [isPicking, setPicking] = useState(false);
  const [isOver, setOver] = useState(false);
  const put = (picked: string) =>
    putValue(place.current?.closest('form') ?? null, field.name, picked);
  const { isBusy, text, hasFailed, upload } = usePictureUpload(([picture]) => {
    if (picture) put(picture.address);
  });
  const take = (event: { preventDefault(): void }, data: DataTransfer) => {
    const [first] = picturesIn(data);
    if (!first) return;
    event.preventDefault();
    upload([first]);
  };
  return (
    <div
      ref={place}
      className={`column gap-2 ${styles.field}`}
      data-over={isOver || undefined}
      onPaste={(event) => take(event, event.clipboardData)}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        take(event, event.dataTransfer);
      }}
    >
      <TextField
        {...field}
        inputMode="url"
        value={address}
        onChange={(event) => {
          setAddress(event.target.value);
          onAddress?.(event.target.value);
        }}
      />
      <div className="row gap-2" data-needs-js>
        <Button onClick={() => setPicking(true)}>Choose picture</Button>
        <UploadButton label="Upload" isBusy={isBusy} onFiles={upload} />
      </div>
      <p className="small" data-without-js>
        Upload pictures in the <Link to="/admin/media">media library</Link> and copy their address.
      </p>
      <p role="status" className={hasFailed ? styles.failed : 'small'}>
        {text}
      </p>
      {preview ?? <PicturePreview src={address} alt={alt} />}
      {isPicking ? (
        <PicturePicker
          onClose={() => setPicking(false)}
          onPick={(picture) => {
            put(picture.address);
            setPicking(false);
          }}
        />
      ) : null}
    </div>
  );
}
