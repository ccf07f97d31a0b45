import { useEffect, useRef } from 'react';
import { useFetcher } from 'react-router';
import type { Editor } from '@tiptap/core';
import { Button } from '#app/ui/button.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import type { EditorDeal } from './editor-deals.ts';
import styles from './rich-text-editor.module.css';

/** Searches deals by title and inserts one at the caret. Several can be inserted in a row. */
export function EditorDealPicker({
  editor,
  deals: { search, shown },
  onDone,
}: {
  editor: Editor;
  deals: { search: string; shown: Map<number, EditorDeal> };
  onDone: () => void;
}) {
  const { load, data, state } = useFetcher<{ deals: EditorDeal[] }>();
  const field = useRef<HTMLInputElement>(null);

  useEffect(() => {
    field.current?.focus();
    void load(search);
  }, [load, search]);

  const put = (deal: EditorDeal) => {
    shown.set(deal.id, deal);
    editor
      .chain()
      .focus()
      // The deal is inserted after the selection, which may be the previous deal.
      .insertContentAt(editor.state.selection.to, {
        type: 'deal',
        attrs: { id: deal.id, title: deal.title },
      })
      .run();
  };

  return (
    <div role="group" aria-label="Deal" className={styles.address}>
      <TextField
        label="Find a deal"
        type="search"
        ref={field}
        autoComplete="off"
        placeholder="Title or store"
        onChange={(event) => void load(`${search}?q=${encodeURIComponent(event.target.value)}`)}
        // Enter submits this panel, not the form around it.
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.preventDefault();
          if (event.key === 'Escape') onDone();
        }}
      />
      <ul
        className={styles.results}
        aria-label="Deals found"
        aria-busy={state !== 'idle' || undefined}
      >
        {data?.deals.map((deal) => (
          <li key={deal.id}>
            <button type="button" className={styles.found} onClick={() => put(deal)}>
              {deal.picture === null ? (
                <span className={styles.blank} />
              ) : (
                <img src={deal.picture} alt="" referrerPolicy="no-referrer" loading="lazy" />
              )}
              <span>
                <strong>{deal.title}</strong>
                <small>{deal.note}</small>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {data?.deals.length === 0 ? <p role="status">No live deals match.</p> : null}
      <div className="row gap-2">
        <Button variant="quiet" onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  );
}
