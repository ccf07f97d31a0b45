import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { Editor } from '@tiptap/core';
import { pictureAddress } from '#app/platform/safe-url.ts';
import { Button } from '#app/ui/button.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import styles from './rich-text-editor.module.css';

/** Asks where a link leads, or where a picture lies. Only what the server would keep is put in. */
export function EditorAddress({
  editor,
  kind,
  onDone,
}: {
  editor: Editor;
  kind: 'link' | 'image';
  onDone: () => void;
}) {
  const present = editor.getAttributes('link')['href'];
  const isLink = kind === 'link';
  const [address, setAddress] = useState(isLink && typeof present === 'string' ? present : '');
  const [alt, setAlt] = useState('');
  const [error, setError] = useState('');
  const first = useRef<HTMLInputElement>(null);

  useEffect(() => first.current?.focus(), []);

  const put = () => {
    const to = isLink ? linkAddress(address.trim()) : pictureAddress(address);
    if (to === null) {
      setError(isLink ? 'Begin with https://, mailto: or /' : 'Begin with https:// or /media/');
      return;
    }
    const chain = editor.chain().focus();
    if (!isLink) chain.setImage({ src: to, alt: alt.trim() }).run();
    else if (editor.state.selection.empty && !editor.isActive('link')) {
      // Nothing is selected: the address is its own text.
      const marks = [{ type: 'link', attrs: { href: to } }];
      chain.insertContent({ type: 'text', text: to, marks }).run();
    } else chain.extendMarkRange('link').setLink({ href: to }).run();
    onDone();
  };
  // Enter is this panel's own: it does not send the form around it.
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') {
      event.preventDefault();
      put();
    }
    if (event.key === 'Escape') onDone();
  };

  return (
    <div role="group" aria-label={isLink ? 'Link' : 'Picture'} className={styles.address}>
      <TextField
        label={isLink ? 'Address of the link' : 'Address of the picture'}
        inputMode="url"
        ref={first}
        onKeyDown={onKeyDown}
        value={address}
        error={error || undefined}
        onChange={(event) => setAddress(event.target.value)}
      />
      {isLink ? null : (
        <TextField
          label="What it shows"
          onKeyDown={onKeyDown}
          hint="For readers who cannot see it. Leave empty for decoration."
          value={alt}
          onChange={(event) => setAlt(event.target.value)}
        />
      )}
      <div className="row gap-2">
        <Button onClick={put}>{isLink ? 'Set link' : 'Insert picture'}</Button>
        {isLink && present ? (
          <Button
            onClick={() => {
              editor.chain().focus().extendMarkRange('link').unsetLink().run();
              onDone();
            }}
          >
            Remove link
          </Button>
        ) : null}
        <Button look="quiet" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </div>
  );
}

function linkAddress(text: string): string | null {
  return /^(?:https?:\/\/[^\s/]|mailto:[^\s@]+@|\/(?!\/))/i.test(text) ? text : null;
}
