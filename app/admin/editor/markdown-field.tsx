import { useId, useRef, useState } from 'react';
import { useFetcher } from 'react-router';
import { putValue } from '#app/admin/frame/put-value.ts';
import { PicturePicker } from '#app/admin/media/picture-picker.tsx';
import { picturesIn } from '#app/admin/media/upload-pictures.ts';
import { usePictureUpload } from '#app/admin/media/use-picture-upload.ts';
import type { LibraryPicture } from '#app/features/pictures/library-picture.ts';
import prose from '#app/features/blog/prose.module.css';
import { Button } from '#app/ui/button.tsx';
import { TextAreaField } from '#app/ui/text-area-field.tsx';
import type { PostPreview } from './content-field.tsx';
import styles from './content-field.module.css';
import { insertPictures } from './insert-pictures.ts';

/**
 * A text in Markdown with the server's preview below it. A picture can be picked from the library,
 * dropped on the text or pasted into it. Without JavaScript, the preview's button posts the form.
 */
export function MarkdownField({
  preview,
  ...field
}: {
  name: string;
  label: string;
  defaultValue: string;
  error: string | undefined;
  hint: string;
  rows?: number;
  /** The preview that was requested without JavaScript. */
  preview: string | undefined;
}) {
  const id = useId();
  const place = useRef<HTMLDivElement>(null);
  const fetcher = useFetcher<PostPreview>();
  const shown = fetcher.data?.html ?? preview;
  const area = useRef<HTMLTextAreaElement>(null);
  const hasCursor = useRef(false);
  const [isPicking, setPicking] = useState(false);

  const insert = (pictures: readonly LibraryPicture[]) => {
    if (!area.current) return;
    const { form, value, selectionStart, selectionEnd } = area.current;
    const at = hasCursor.current
      ? { from: selectionStart, to: selectionEnd }
      : { from: value.length, to: value.length };
    const { text, cursor } = insertPictures(value, at, pictures);
    putValue(form, field.name, text);
    area.current.setSelectionRange(cursor, cursor);
  };
  const { text, hasFailed, upload } = usePictureUpload(insert);
  const take = (event: { preventDefault(): void }, data: DataTransfer) => {
    const files = picturesIn(data);
    // Office programs copy text together with a picture of it; only the text is pasted.
    if (files.length === 0 || data.types.includes('text/plain')) return;
    event.preventDefault();
    upload(files);
  };
  const show = () => {
    const form = place.current?.closest('form');
    if (!form) return;
    const data = new FormData(form);
    data.set('intent', 'preview');
    void fetcher.submit(data, { method: 'post' });
  };

  return (
    <div ref={place} className={`column gap-3 ${styles.source}`}>
      <TextAreaField
        rows={18}
        spellCheck
        {...field}
        ref={area}
        onFocus={() => (hasCursor.current = true)}
        onPaste={(event) => take(event, event.clipboardData)}
        onDragOver={(event) => {
          if (event.dataTransfer.types.includes('Files')) event.preventDefault();
        }}
        onDrop={(event) => take(event, event.dataTransfer)}
      />
      <div className="row gap-2" data-needs-js>
        <Button onClick={() => setPicking(true)}>Picture</Button>
        <Button onClick={show} isBusy={fetcher.state !== 'idle'} aria-controls={id}>
          Preview
        </Button>
        <p role="status" className={hasFailed ? styles.error : 'small'}>
          {text}
        </p>
      </div>
      {isPicking ? (
        <PicturePicker
          onClose={() => setPicking(false)}
          onPick={(picture) => {
            insert([picture]);
            setPicking(false);
          }}
        />
      ) : null}
      <p data-without-js>
        <Button type="submit" name="intent" value="preview">
          Preview
        </Button>
      </p>
      <div id={id} role="status">
        {shown === undefined ? null : (
          <section className={styles.preview} aria-label="Preview">
            {/* The server sanitizes the preview, as it does pages. */}
            <div className={prose.prose} dangerouslySetInnerHTML={{ __html: shown }} />
          </section>
        )}
      </div>
    </div>
  );
}
