import { useState } from 'react';
import type { Editor } from '@tiptap/core';
import { PicturePicker } from '#app/admin/media/picture-picker.tsx';
import { UploadButton } from '#app/admin/media/upload-button.tsx';
import { usePictureUpload } from '#app/admin/media/use-picture-upload.ts';
import type { LibraryPicture } from '#app/features/pictures/library-picture.ts';
import { pictureAddress } from '#app/platform/safe-url.ts';
import { Button } from '#app/ui/button.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { linkAddress, linkAddressError } from './link-address.ts';
import styles from './rich-text-editor.module.css';
import { useEditorPanel } from './use-editor-panel.ts';

/**
 * Asks for the URL of a link or picture. Only URLs that the server would accept are
 * inserted.
 */
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
  const [isPicking, setPicking] = useState(false);
  const take = (picture: LibraryPicture) => {
    setAddress(picture.address);
    if (alt === '') setAlt(picture.alt);
    setError('');
    setPicking(false);
  };
  const { isBusy, text, hasFailed, upload } = usePictureUpload(([picture]) => {
    if (picture) take(picture);
  });

  const put = () => {
    const to = isLink ? linkAddress(address.trim()) : pictureAddress(address);
    if (to === null) {
      setError(isLink ? linkAddressError : 'Start with https:// or /media/');
      return;
    }
    const chain = editor.chain().focus();
    if (!isLink) chain.setImage({ src: to, alt: alt.trim() }).run();
    else if (editor.state.selection.empty && !editor.isActive('link')) {
      // Without a selection, the URL is also the link's text.
      const marks = [{ type: 'link', attrs: { href: to } }];
      chain.insertContent({ type: 'text', text: to, marks }).run();
    } else chain.extendMarkRange('link').setLink({ href: to }).run();
    onDone();
  };
  const { first, onKeyDown } = useEditorPanel({ put, onDone });

  return (
    <div role="group" aria-label={isLink ? 'Link' : 'Picture'} className={styles.address}>
      <TextField
        label={isLink ? 'Link address' : 'Picture address'}
        inputMode="url"
        ref={first}
        onKeyDown={onKeyDown}
        value={address}
        error={error || undefined}
        onChange={(event) => setAddress(event.target.value)}
      />
      {isLink ? null : (
        <div className="row gap-2">
          <Button onClick={() => setPicking(true)}>Choose picture</Button>
          <UploadButton label="Upload" isBusy={isBusy} onFiles={upload} />
        </div>
      )}
      {text ? (
        <p role="status" className={hasFailed ? styles.failed : 'small'}>
          {text}
        </p>
      ) : null}
      {isPicking ? <PicturePicker onPick={take} onClose={() => setPicking(false)} /> : null}
      {isLink ? null : (
        <TextField
          label="Description"
          onKeyDown={onKeyDown}
          hint="For readers who cannot see the picture. Leave blank for decoration."
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
        <Button variant="quiet" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
