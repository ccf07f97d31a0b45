import { type ComponentProps, useEffect, useReducer, useRef, useState } from 'react';
import { type ChainedCommands, Editor } from '@tiptap/core';
import { Image } from '@tiptap/extension-image';
import { StarterKit } from '@tiptap/starter-kit';
import { picturesIn } from '#app/admin/media/upload-pictures.ts';
import { usePictureUpload } from '#app/admin/media/use-picture-upload.ts';
import type { LibraryPicture } from '#app/features/pictures/library-picture.ts';
import { LineIcon } from '#app/ui/icon.tsx';
import { EditorAddress } from './editor-address.tsx';
import { buttonLinks } from './editor-button-links.client.ts';
import { EditorButtonPanel } from './editor-button-panel.tsx';
import { dealNode } from './editor-deal-node.client.ts';
import { EditorDealPicker } from './editor-deal-picker.tsx';
import { editorIcons } from './editor-icons.ts';
import { lostElements } from './lost-elements.ts';
import styles from './rich-text-editor.module.css';

type PickerDeals = ComponentProps<typeof EditorDealPicker>['deals'];

export interface RichTextEditorProps {
  html: string;
  onChange: (html: string) => void;
  label: string;
  /** The class of the published style, so that the editor matches it. */
  proseClass: string | undefined;
  /** The deals that the content may contain. Absent if it may contain none. */
  deals?: PickerDeals | undefined;
}

/** A rich-text editor. If parts of the HTML would be lost, it reports them and changes nothing. */
export function RichTextEditor({ html, onChange, label, proseClass, deals }: RichTextEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<Editor | null>(null);
  const [lost, setLost] = useState<string[]>([]);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const tell = useRef(onChange);
  const known = useRef(html);
  const shownDeals = deals?.shown;
  const { text, hasFailed, upload } = usePictureUpload((pictures) =>
    editor?.chain().focus().insertContent(pictures.map(imageOf)).run(),
  );
  const take = useRef(upload);

  useEffect(() => {
    tell.current = onChange;
    take.current = upload;
  }, [onChange, upload]);

  useEffect(() => {
    const made = new Editor({
      element: place.current,
      injectCSS: false,
      extensions: [
        StarterKit.configure({
          heading: { levels: [2, 3, 4] },
          link: { openOnClick: false, HTMLAttributes: { target: null, rel: null } },
        }),
        Image,
        buttonLinks,
        ...(shownDeals ? [dealNode(shownDeals)] : []),
      ],
      content: known.current,
      editorProps: {
        attributes: {
          role: 'textbox',
          'aria-multiline': 'true',
          'aria-label': label,
          ...(proseClass && { class: proseClass }),
        },
        handlePaste: (_view, { clipboardData }) => takePictures(clipboardData, take.current),
        handleDrop: (_view, { dataTransfer }) => takePictures(dataTransfer, take.current),
      },
      onUpdate: () => {
        known.current = made.getHTML();
        tell.current(known.current);
      },
      onTransaction: redraw,
    });
    const missing = lostElements(known.current, made.getHTML());
    made.setEditable(missing.length === 0, false);
    setLost(missing);
    setEditor(made);
    return () => made.destroy();
  }, [label, proseClass, shownDeals]);

  useEffect(() => {
    if (!editor || html === known.current) return;
    known.current = html;
    editor.commands.setContent(html, { emitUpdate: false });
  }, [editor, html]);

  return (
    <div className={styles.editor}>
      {lost.length > 0 ? (
        <p role="status" className={styles.lost}>
          This editor does not support parts of this text ({lost.join(', ')}). Edit it under Source.
        </p>
      ) : (
        editor && <Toolbar editor={editor} deals={deals} />
      )}
      <p role="status" className={`${styles.uploading} ${hasFailed ? styles.failed : ''}`}>
        {text}
      </p>
      <div ref={place} className={styles.place} />
    </div>
  );
}

/**
 * Uploads dropped or pasted pictures. Returns `false` if there are none, so that the editor
 * handles the event.
 */
function takePictures(data: DataTransfer | null, upload: (files: File[]) => void): boolean {
  const files = picturesIn(data);
  // A picture copied from a page comes with its HTML, which has its URL already.
  if (files.length === 0 || data?.types.includes('text/html')) return false;
  upload(files);
  return true;
}

function imageOf({ address, alt }: LibraryPicture) {
  return { type: 'image', attrs: { src: address, alt } };
}

interface ToolKind {
  label: string;
  icon: keyof typeof editorIcons;
  /** The keyboard shortcut, for the tooltip. */
  keys?: string;
  /** The mark or node that makes the button active. Absent if the button has no active state. */
  mark?: string;
  attributes?: object;
  run: (chain: ChainedCommands) => ChainedCommands;
}

const tools: ToolKind[] = [
  { label: 'Bold', icon: 'bold', keys: 'Ctrl+B', mark: 'bold', run: (at) => at.toggleBold() },
  {
    label: 'Italic',
    icon: 'italic',
    keys: 'Ctrl+I',
    mark: 'italic',
    run: (at) => at.toggleItalic(),
  },
  {
    label: 'Underline',
    icon: 'underline',
    keys: 'Ctrl+U',
    mark: 'underline',
    run: (at) => at.toggleUnderline(),
  },
  { label: 'Strikethrough', icon: 'strike', mark: 'strike', run: (at) => at.toggleStrike() },
  { label: 'Code', icon: 'code', mark: 'code', run: (at) => at.toggleCode() },
  ...([2, 3, 4] as const).map((level) => ({
    label: `Heading H${level}`,
    icon: `heading${level}` as const,
    mark: 'heading',
    attributes: { level },
    run: (at: ChainedCommands) => at.toggleHeading({ level }),
  })),
  {
    label: 'Bullet list',
    icon: 'bulletList',
    mark: 'bulletList',
    run: (at) => at.toggleBulletList(),
  },
  {
    label: 'Numbered list',
    icon: 'orderedList',
    mark: 'orderedList',
    run: (at) => at.toggleOrderedList(),
  },
  { label: 'Quote', icon: 'quote', mark: 'blockquote', run: (at) => at.toggleBlockquote() },
  { label: 'Code block', icon: 'codeBlock', mark: 'codeBlock', run: (at) => at.toggleCodeBlock() },
  { label: 'Horizontal rule', icon: 'rule', run: (at) => at.setHorizontalRule() },
];

type Panel = 'link' | 'button' | 'image' | 'deal';

function Toolbar({ editor, deals }: { editor: Editor; deals: PickerDeals | undefined }) {
  const [asked, setAsked] = useState<Panel | null>(null);
  const act = () => editor.chain().focus();
  const done = () => setAsked(null);
  const panel = (kind: Panel, isActive = false) => ({
    isOn: asked === kind || isActive,
    onPress: () => setAsked(asked === kind ? null : kind),
  });
  return (
    <>
      <div role="toolbar" aria-label="Formatting" className={styles.toolbar}>
        {tools.map(({ label, icon, keys, mark, attributes, run }) => (
          <Tool
            key={label}
            label={label}
            icon={icon}
            keys={keys}
            isOn={mark === undefined ? undefined : editor.isActive(mark, attributes)}
            onPress={() => run(act()).run()}
          />
        ))}
        <Tool label="Link" icon="link" {...panel('link', editor.isActive('link'))} />
        <Tool label="Button" icon="button" {...panel('button')} />
        <Tool label="Picture" icon="picture" {...panel('image')} />
        {deals ? <Tool label="Deal" icon="deal" {...panel('deal')} /> : null}
        <Tool
          label="Undo"
          icon="undo"
          keys="Ctrl+Z"
          isDisabled={!editor.can().undo()}
          onPress={() => act().undo().run()}
        />
        <Tool
          label="Redo"
          icon="redo"
          keys="Ctrl+Shift+Z"
          isDisabled={!editor.can().redo()}
          onPress={() => act().redo().run()}
        />
      </div>
      {asked === 'deal' && deals ? (
        <EditorDealPicker editor={editor} deals={deals} onDone={done} />
      ) : null}
      {asked === 'button' ? <EditorButtonPanel editor={editor} onDone={done} /> : null}
      {asked === 'link' || asked === 'image' ? (
        <EditorAddress key={asked} editor={editor} kind={asked} onDone={done} />
      ) : null}
    </>
  );
}

function Tool({
  label,
  icon,
  keys,
  isOn,
  isDisabled = false,
  onPress,
}: {
  label: string;
  icon: keyof typeof editorIcons;
  keys?: string | undefined;
  isOn?: boolean | undefined;
  isDisabled?: boolean;
  onPress: () => void;
}) {
  return (
    <button
      type="button"
      aria-label={label}
      title={keys ? `${label} (${keys})` : label}
      aria-pressed={isOn}
      aria-disabled={isDisabled || undefined}
      onClick={isDisabled ? undefined : onPress}
    >
      <LineIcon path={editorIcons[icon]} size={18} />
    </button>
  );
}
