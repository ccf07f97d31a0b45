import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react';
import { Icon } from '#app/ui/icon.tsx';
import { SearchPopup } from './search-popup.tsx';
import type { Suggestion } from './suggestion.ts';
import styles from './search-box.module.css';

/**
 * A plain form that becomes a combobox (WAI-ARIA) once hydrated. `id` distinguishes a page's boxes;
 * `label` names the landmark.
 */
export function SearchBox({
  id,
  label = 'Search',
  initial,
}: {
  id: string;
  label?: string;
  /** The current query. */
  initial: string;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(initial);
  const [isOpen, setIsOpen] = useState(false);
  /** The highlighted row; -1 for none. */
  const [highlighted, setHighlighted] = useState(-1);
  /** The rows of the open list. */
  const [rows, setRows] = useState<Suggestion[]>([]);

  const listId = `${id}-list`;
  const hasList = rows.length > 0;

  useEffect(() => {
    // Keeps text typed before hydration, and shows suggestions if the field has focus.
    setText(input.current?.value ?? '');
    if (document.activeElement === input.current) setIsOpen(true);
  }, []);

  function close() {
    setIsOpen(false);
    setHighlighted(-1);
  }

  function searchFor(wanted: string) {
    const query = wanted.trim();
    close();
    if (query === '') return input.current?.focus();
    setText(query);
    // A touch keyboard would cover the results.
    if (matchMedia('(pointer: coarse)').matches) input.current?.blur();
    location.assign(`/deals?${new URLSearchParams({ search: query })}`);
  }

  return (
    // The `role` is for browsers that lack the `search` element. The form itself only listens for
    // lost focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      className={styles.box}
      action="/deals"
      role="search"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        // Reads the field itself, since `text` lags behind during hydration.
        searchFor(rows[highlighted]?.text ?? input.current?.value ?? text);
      }}
      onReset={() => {
        setText('');
        input.current?.focus();
      }}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) close();
      }}
    >
      <div className={styles.field} role="none" onMouseDown={keepFocus}>
        <button className={styles.submit} type="submit" aria-label="Search" tabIndex={-1}>
          <Icon name="search" />
        </button>
        <input
          ref={input}
          id={id}
          className={styles.input}
          // A search field may not have the role of a combobox (ARIA in HTML). Therefore this is a
          // text field with a clear button.
          type="text"
          inputMode="search"
          name="search"
          value={text}
          placeholder="Search deals, stores…"
          aria-label="Search deals and stores"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="search"
          maxLength={100}
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={hasList}
          aria-controls={hasList ? listId : undefined}
          aria-activedescendant={rows[highlighted] ? `${listId}-${highlighted}` : undefined}
          aria-keyshortcuts="/"
          onChange={(event) => {
            setText(event.target.value);
            setHighlighted(-1);
            setIsOpen(true);
          }}
          onFocus={() => {
            if (text.trim() === '') setIsOpen(true);
          }}
          onClick={() => setIsOpen(true)}
          onKeyDown={(event) =>
            answerKey(event, { isOpen, rows, setText, setIsOpen, setHighlighted, close })
          }
        />
        <button className={styles.clear} type="reset" aria-label="Clear search" tabIndex={-1}>
          <Icon name="close" />
        </button>
      </div>
      {isOpen ? (
        <SearchPopup
          listId={listId}
          text={text}
          highlighted={highlighted}
          onRows={setRows}
          onChoose={searchFor}
        />
      ) : null}
    </form>
  );
}

/** Keeps the focus in the field. Otherwise the box on a phone would shrink under the finger. */
function keepFocus(event: MouseEvent): void {
  if (!(event.target instanceof HTMLInputElement)) event.preventDefault();
}

interface List {
  isOpen: boolean;
  rows: readonly Suggestion[];
  setText(text: string): void;
  setIsOpen(isOpen: boolean): void;
  setHighlighted(move: (row: number) => number): void;
  close(): void;
}

/** Handles Escape and arrow keys of the combobox. */
function answerKey(event: KeyboardEvent, list: List) {
  if (event.nativeEvent.isComposing) return;
  const { key } = event;
  if (key === 'Escape') {
    if (!list.isOpen) return list.setText('');
    // The first Escape closes the list. The next one clears the field and closes the menu.
    event.preventDefault();
    event.stopPropagation();
    list.close();
  } else if (key === 'ArrowDown') {
    event.preventDefault();
    if (list.isOpen) list.setHighlighted((row) => Math.min(row + 1, list.rows.length - 1));
    else list.setIsOpen(true);
  } else if (key === 'ArrowUp' && list.isOpen) {
    event.preventDefault();
    list.setHighlighted((row) => Math.max(row - 1, -1));
  }
}
