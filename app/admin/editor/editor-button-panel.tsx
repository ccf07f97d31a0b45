import { useState } from 'react';
import type { Editor } from '@tiptap/core';
import { Button } from '#app/ui/button.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { linkAddress, linkAddressError } from './link-address.ts';
import styles from './rich-text-editor.module.css';
import { useEditorPanel } from './use-editor-panel.ts';

/** Asks for the label and link of a button, and inserts it as a paragraph of its own. */
export function EditorButtonPanel({ editor, onDone }: { editor: Editor; onDone: () => void }) {
  const [label, setLabel] = useState('');
  const [address, setAddress] = useState('');
  const [errors, setErrors] = useState({ label: '', address: '' });

  const put = () => {
    const text = label.trim();
    const href = linkAddress(address.trim());
    if (text === '' || href === null) {
      setErrors({
        label: text === '' ? 'Label is required' : '',
        address: href === null ? linkAddressError : '',
      });
      return;
    }
    const marks = [{ type: 'link', attrs: { href, button: true } }];
    editor
      .chain()
      .focus()
      .insertContentAt(editor.state.selection.to, {
        type: 'paragraph',
        content: [{ type: 'text', text, marks }],
      })
      .run();
    onDone();
  };
  const { first, onKeyDown } = useEditorPanel({ put, onDone });

  return (
    <div role="group" aria-label="Button" className={styles.address}>
      <TextField
        label="Button label"
        ref={first}
        maxLength={60}
        onKeyDown={onKeyDown}
        value={label}
        error={errors.label || undefined}
        onChange={(event) => setLabel(event.target.value)}
      />
      <TextField
        label="Button link"
        inputMode="url"
        onKeyDown={onKeyDown}
        value={address}
        error={errors.address || undefined}
        onChange={(event) => setAddress(event.target.value)}
      />
      <div className="row gap-2">
        <Button onClick={put}>Insert button</Button>
        <Button variant="quiet" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
