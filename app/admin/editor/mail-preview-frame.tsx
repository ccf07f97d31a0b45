import { useEffect, useRef, useState } from 'react';
import styles from './content-field.module.css';

const frameName = 'mail-preview';
const schemes = { light: 'Light', dark: 'Dark' } as const;

/**
 * Shows the email of the form's current text. The text is posted into the frame, so the server's
 * response is displayed under its own policy and without scripts.
 */
export function MailPreviewFrame({ action }: { action: string }) {
  const place = useRef<HTMLDivElement>(null);
  const [scheme, setScheme] = useState<keyof typeof schemes>('light');

  useEffect(() => {
    const typed = place.current?.closest('form');
    if (!typed) return;
    const values = new FormData(typed);
    const form = document.createElement('form');
    form.method = 'post';
    form.action = action;
    form.target = frameName;
    form.hidden = true;
    for (const name of ['subject', 'preview', 'content']) {
      form.append(textOf(name, values.get(name)));
    }
    form.append(textOf('scheme', scheme));
    document.body.append(form);
    form.submit();
    form.remove();
  }, [action, scheme]);

  return (
    <div ref={place} className="column gap-2">
      <div className="row gap-3" role="group" aria-label="Color scheme">
        {(['light', 'dark'] as const).map((one) => (
          <label key={one} className="row gap-1">
            <input
              type="radio"
              name="mail-scheme"
              // The choice is outside of any form, so saving ignores it.
              form="mail-preview-scheme"
              checked={scheme === one}
              onChange={(event) => {
                event.stopPropagation();
                setScheme(one);
              }}
            />
            {schemes[one]}
          </label>
        ))}
      </div>
      <iframe name={frameName} title="The email" sandbox="" className={styles.mail} />
    </div>
  );
}

function textOf(name: string, value: FormDataEntryValue | null): HTMLTextAreaElement {
  const area = document.createElement('textarea');
  area.name = name;
  area.value = typeof value === 'string' ? value : '';
  return area;
}
