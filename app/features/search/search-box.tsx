import { type KeyboardEvent, lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { Icon } from '#app/ui/icon.tsx';
import { focusOnSlash } from './focus-on-slash.ts';
import type { Suggestion } from './suggestion.ts';
import styles from './search-box.module.css';

/** Fetched when somebody turns to the box. Should that fail, nothing is suggested and the search itself still works. */
const loadPopup = () => import('./search-popup.tsx');
const SearchPopup = lazy(() =>
  loadPopup().then(
    ({ SearchPopup: Popup }) => ({ default: Popup }),
    () => ({ default: () => null }),
  ),
);

/**
 * The search box: a plain form that becomes a combobox (WAI-ARIA) once script runs. The `id` tells several boxes
 * of one page apart; `label` names the landmark.
 */
export function SearchBox({ id, label = 'Search' }: { id: string; label?: string }) {
  const navigate = useNavigate();
  const form = useRef<HTMLFormElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const { text, setText } = useSearchText();
  const [isOpen, setIsOpen] = useState(false);
  /** The highlighted row; -1 for none. */
  const [highlighted, setHighlighted] = useState(-1);
  /** What the open list offers. */
  const [rows, setRows] = useState<Suggestion[]>([]);

  const listId = `${id}-list`;
  const hasList = isOpen && rows.length > 0;

  useEffect(() => focusOnSlash(input), []);
  useEffect(() => {
    // What was typed before the page came alive is not lost, and who is still typing goes on with suggestions.
    if (input.current && input.current.value !== '') setText(input.current.value);
    if (document.activeElement === input.current) setIsOpen(true);
  }, [setText]);

  function close() {
    setIsOpen(false);
    setHighlighted(-1);
  }

  function searchFor(wanted: string) {
    const query = wanted.trim();
    close();
    if (query === '') return;
    setText(query);
    // A finger's keyboard would cover the results.
    if (matchMedia('(pointer: coarse)').matches) input.current?.blur();
    void navigate(`/deals?${new URLSearchParams({ search: query })}`);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape' && isOpen) {
      // The first press closes the list, and only the next one empties the field or closes the menu.
      event.preventDefault();
      event.stopPropagation();
      close();
    } else if (event.key === 'ArrowDown') {
      event.preventDefault();
      if (isOpen) setHighlighted((row) => Math.min(row + 1, rows.length - 1));
      else setIsOpen(true);
    } else if (event.key === 'ArrowUp' && isOpen) {
      event.preventDefault();
      setHighlighted((row) => Math.max(row - 1, -1));
    }
  }

  return (
    // `role` for browsers that do not know the search element; the form only hears its fields lose the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      ref={form}
      className={styles.box}
      action="/deals"
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="search"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        searchFor(rows[highlighted]?.text ?? text);
      }}
      onBlur={(event) => {
        if (!form.current?.contains(event.relatedTarget)) close();
      }}
    >
      <div className={styles.field}>
        <button className={styles.submit} type="submit" aria-label="Search" tabIndex={-1}>
          <Icon name="search" />
        </button>
        <input
          ref={input}
          id={id}
          className={styles.input}
          type="search"
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
          aria-haspopup="listbox"
          aria-expanded={hasList}
          aria-controls={hasList ? listId : undefined}
          aria-activedescendant={
            hasList && highlighted >= 0 ? `${listId}-${highlighted}` : undefined
          }
          aria-keyshortcuts="/"
          onChange={(event) => {
            setText(event.target.value);
            setHighlighted(-1);
            setIsOpen(true);
          }}
          onFocus={() => {
            loadPopup().catch(() => {});
            if (text.trim() === '') setIsOpen(true);
          }}
          onClick={() => setIsOpen(true)}
          onKeyDown={onKeyDown}
        />
      </div>
      {isOpen ? (
        <Suspense>
          <SearchPopup
            listId={listId}
            text={text}
            highlighted={highlighted}
            onRows={setRows}
            onChoose={searchFor}
          />
        </Suspense>
      ) : null}
    </form>
  );
}

/** The text of the box. A results page fills it with its search; any other page change empties it. */
function useSearchText() {
  const { pathname, search } = useLocation();
  const shown = pathname === '/deals' ? (new URLSearchParams(search).get('search') ?? '') : '';
  const place = `${pathname} ${shown}`;
  const [state, setState] = useState({ place, text: shown });
  const [setText] = useState(() => (text: string) => setState((before) => ({ ...before, text })));
  if (state.place !== place) setState({ place, text: shown });
  return { text: state.place === place ? state.text : shown, setText };
}
