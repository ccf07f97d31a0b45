import { useEffect, useRef } from 'react';
import { useFetcher } from 'react-router';
import type { Editor } from '@tiptap/core';
import { Button } from '#app/ui/button.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import type { EditorDeal } from './editor-deals.ts';
import styles from './rich-text-editor.module.css';

/** Looks for a deal by its title and puts it where the caret stands. Several may follow each other. */
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
      // Behind what is selected: the one before may be.
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
        placeholder="Words of its title, or a store"
        onChange={(event) => void load(`${search}?q=${encodeURIComponent(event.target.value)}`)}
        // Enter is this panel's own: it does not send the form around it.
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
      {data?.deals.length === 0 ? <p role="status">No live deal has these words.</p> : null}
      <div className="row gap-2">
        <Button look="quiet" onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  );
}
