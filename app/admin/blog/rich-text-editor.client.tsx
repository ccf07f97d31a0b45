import { type ReactNode, useEffect, useReducer, useRef, useState } from 'react';
import { Editor } from '@tiptap/core';
import { Image } from '@tiptap/extension-image';
import { StarterKit } from '@tiptap/starter-kit';
import { EditorAddress } from './editor-address.tsx';
import { lostElements } from './lost-elements.ts';
import styles from './rich-text-editor.module.css';

export interface RichTextEditorProps {
  html: string;
  onChange: (html: string) => void;
  label: string;
  /** The look of what is read, so that it is written as it will be seen. */
  proseClass: string | undefined;
}

/** Writes HTML without showing it. What it cannot keep it does not touch: then it says so and writes nothing. */
export function RichTextEditor({ html, onChange, label, proseClass }: RichTextEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<Editor | null>(null);
  const [lost, setLost] = useState<string[]>([]);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const tell = useRef(onChange);
  const known = useRef(html);

  useEffect(() => {
    tell.current = onChange;
  }, [onChange]);

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
      ],
      content: known.current,
      editorProps: {
        attributes: {
          role: 'textbox',
          'aria-multiline': 'true',
          'aria-label': label,
          ...(proseClass && { class: proseClass }),
        },
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
  }, [label, proseClass]);

  useEffect(() => {
    if (!editor || html === known.current) return;
    known.current = html;
    editor.commands.setContent(html, { emitUpdate: false });
  }, [editor, html]);

  return (
    <div className={styles.editor}>
      {lost.length > 0 ? (
        <p role="status" className={styles.lost}>
          This post has parts that can only be kept in its source ({lost.join(', ')}): change it
          under Source.
        </p>
      ) : (
        editor && <Toolbar editor={editor} />
      )}
      <div ref={place} className={styles.place} />
    </div>
  );
}

function Toolbar({ editor }: { editor: Editor }) {
  const [asked, setAsked] = useState<'link' | 'image' | null>(null);
  const act = () => editor.chain().focus();
  const ask = (kind: 'link' | 'image') => setAsked(asked === kind ? null : kind);
  return (
    <>
      <div role="toolbar" aria-label="Formatting" className={styles.toolbar}>
        <Tool label="Bold" isOn={editor.isActive('bold')} onPress={() => act().toggleBold().run()}>
          <b>B</b>
        </Tool>
        <Tool
          label="Italic"
          isOn={editor.isActive('italic')}
          onPress={() => act().toggleItalic().run()}
        >
          <i>I</i>
        </Tool>
        <Tool
          label="Underline"
          isOn={editor.isActive('underline')}
          onPress={() => act().toggleUnderline().run()}
        >
          <u>U</u>
        </Tool>
        <Tool
          label="Strikethrough"
          isOn={editor.isActive('strike')}
          onPress={() => act().toggleStrike().run()}
        >
          <s>S</s>
        </Tool>
        <Tool label="Code" isOn={editor.isActive('code')} onPress={() => act().toggleCode().run()}>
          <code>{'</>'}</code>
        </Tool>
        {([2, 3, 4] as const).map((level) => (
          <Tool
            key={level}
            label={`Heading H${level}`}
            isOn={editor.isActive('heading', { level })}
            onPress={() => act().toggleHeading({ level }).run()}
          >
            H{level}
          </Tool>
        ))}
        <Tool
          label="Bullet list"
          isOn={editor.isActive('bulletList')}
          onPress={() => act().toggleBulletList().run()}
        >
          • List
        </Tool>
        <Tool
          label="Numbered list"
          isOn={editor.isActive('orderedList')}
          onPress={() => act().toggleOrderedList().run()}
        >
          # List
        </Tool>
        <Tool
          label="Quote"
          isOn={editor.isActive('blockquote')}
          onPress={() => act().toggleBlockquote().run()}
        >
          “ ”
        </Tool>
        <Tool
          label="Code block"
          isOn={editor.isActive('codeBlock')}
          onPress={() => act().toggleCodeBlock().run()}
        >
          {'{ }'}
        </Tool>
        <Tool label="Line" onPress={() => act().setHorizontalRule().run()}>
          —
        </Tool>
        <Tool
          label="Link"
          isOn={asked === 'link' || editor.isActive('link')}
          onPress={() => ask('link')}
        >
          Link
        </Tool>
        <Tool label="Picture" isOn={asked === 'image'} onPress={() => ask('image')}>
          Picture
        </Tool>
        <Tool label="Undo" isDisabled={!editor.can().undo()} onPress={() => act().undo().run()}>
          ↶
        </Tool>
        <Tool label="Redo" isDisabled={!editor.can().redo()} onPress={() => act().redo().run()}>
          ↷
        </Tool>
      </div>
      {asked ? (
        <EditorAddress key={asked} editor={editor} kind={asked} onDone={() => setAsked(null)} />
      ) : null}
    </>
  );
}

function Tool({
  label,
  isOn,
  isDisabled = false,
  onPress,
  children,
}: {
  label: string;
  /** Undefined where there is nothing to be on. */
  isOn?: boolean;
  isDisabled?: boolean;
  onPress: () => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-pressed={isOn}
      aria-disabled={isDisabled || undefined}
      onClick={isDisabled ? undefined : onPress}
    >
      {children}
    </button>
  );
}
