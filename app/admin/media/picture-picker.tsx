import { useEffect, useRef, useState } from 'react';
import { useFetcher } from 'react-router';
import type { LibraryPicture } from '#app/features/pictures/library-picture.ts';
import { thumbnail } from '#app/features/pictures/picture-files.ts';
import { Button } from '#app/ui/button.tsx';
import { ModalDialog } from '#app/ui/modal-dialog.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { mostPicked, picturesAtATime } from './pick-limits.ts';
import styles from './picture-picker.module.css';
import { UploadButton } from './upload-button.tsx';
import { picturesIn } from './upload-pictures.ts';
import { usePictureUpload } from './use-picture-upload.ts';

/**
 * Picks a picture from the library, or uploads one. Opened over a form, which it does not change.
 */
export function PicturePicker({
  onPick,
  onClose,
}: {
  onPick: (picture: LibraryPicture) => void;
  onClose: () => void;
}) {
  const { load, data, state } = useFetcher<{ pictures: LibraryPicture[]; hasMore: boolean }>();
  const [search, setSearch] = useState('');
  const [count, setCount] = useState(picturesAtATime);
  const field = useRef<HTMLInputElement>(null);
  const { isBusy, text, hasFailed, upload } = usePictureUpload(([picture]) => {
    if (picture) onPick(picture);
  });

  useEffect(() => field.current?.focus(), []);
  useEffect(() => {
    const params = new URLSearchParams({ q: search, count: String(count) });
    void load(`/admin/media/pick?${params}`);
  }, [load, search, count]);

  const take = (event: { preventDefault(): void }, from: DataTransfer) => {
    const [first] = picturesIn(from);
    if (!first) return;
    event.preventDefault();
    upload([first]);
  };
  return (
    <ModalDialog title="Choose a picture" isWide="very" onClose={onClose}>
      <div
        className={`column gap-4 ${styles.picker}`}
        // The form around the dialog must not count a search as a change.
        onChange={(event) => event.stopPropagation()}
        onPaste={(event) => {
          event.stopPropagation();
          take(event, event.clipboardData);
        }}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.stopPropagation();
          take(event, event.dataTransfer);
        }}
      >
        <div className={styles.head}>
          <TextField
            label="Search by name or description"
            type="search"
            ref={field}
            autoComplete="off"
            maxLength={100}
            value={search}
            onChange={(event) => {
              setSearch(event.target.value);
              setCount(picturesAtATime);
            }}
            // Enter must not submit the form around the dialog.
            onKeyDown={(event) => {
              if (event.key === 'Enter') event.preventDefault();
            }}
          />
          <UploadButton label="Upload a picture" isBusy={isBusy} onFiles={upload} />
        </div>
        <p className="small">Or drop or paste a picture here.</p>
        <p role="status" className={hasFailed ? styles.failed : 'small'}>
          {text || emptyText(data?.pictures.length, search)}
        </p>
        <ul className={styles.pictures} aria-busy={state !== 'idle' || undefined}>
          {data?.pictures.map((picture) => (
            <li key={picture.id}>
              <button type="button" className={styles.picture} onClick={() => onPick(picture)}>
                <img src={thumbnail(picture.address)} alt={picture.alt} loading="lazy" />
                <span>{picture.name}</span>
              </button>
            </li>
          ))}
        </ul>
        {data?.hasMore && count < mostPicked ? (
          <div>
            <Button isBusy={state !== 'idle'} onClick={() => setCount(count + picturesAtATime)}>
              Show more
            </Button>
          </div>
        ) : null}
      </div>
    </ModalDialog>
  );
}

function emptyText(found: number | undefined, search: string): string {
  if (found !== 0) return '';
  return search ? 'No pictures match.' : 'The library is empty. Upload the first picture.';
}
