import { useId, useRef } from 'react';
import { useFetcher } from 'react-router';
import prose from '#app/features/blog/prose.module.css';
import { Button } from '#app/ui/button.tsx';
import { TextAreaField } from '#app/ui/text-area-field.tsx';
import type { PostPreview } from './content-field.tsx';
import styles from './content-field.module.css';

/**
 * A text in Markdown with the server's preview below it. Without JavaScript, the preview's button
 * posts the form.
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

  const show = () => {
    const form = place.current?.closest('form');
    if (!form) return;
    const data = new FormData(form);
    data.set('intent', 'preview');
    void fetcher.submit(data, { method: 'post' });
  };

  return (
    <div ref={place} className={`column gap-3 ${styles.source}`}>
      <TextAreaField rows={18} spellCheck {...field} />
      <p data-needs-js>
        <Button onClick={show} isBusy={fetcher.state !== 'idle'} aria-controls={id}>
          Preview
        </Button>
      </p>
      <p data-without-js>
        <Button type="submit" name="intent" value="preview">
          Preview
        </Button>
      </p>
      <div id={id} role="status">
        {shown === undefined ? null : (
          <section className={styles.preview} aria-label="Preview">
            {/* The server sanitised the preview, as it does pages. */}
            <div className={prose.prose} dangerouslySetInnerHTML={{ __html: shown }} />
          </section>
        )}
      </div>
    </div>
  );
}
