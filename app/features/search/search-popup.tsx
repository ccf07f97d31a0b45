import { useEffect, useState } from 'react';
import { Icon, type IconName } from '#app/ui/icon.tsx';
import { splitTyped } from './split-typed.ts';
import { shortestSuggestion, type Suggestion, suggestionTypeLabels } from './suggestion.ts';
import {
  nothing,
  popularSearches,
  type SuggestionState,
  useSuggestions,
} from './use-suggestions.ts';
import styles from './search-popup.module.css';

interface SearchPopupProps {
  listId: string;
  text: string;
  highlighted: number;
  /**
   * Receives the rows that the arrow keys move through: suggestions, or popular searches while the
   * box is empty.
   */
  onRows: (rows: Suggestion[]) => void;
  onChoose: (text: string) => void;
}

/**
 * The popup below the search box. Pressing in it keeps the focus in the field; pressing elsewhere
 * closes it.
 */
export function SearchPopup({ listId, text, highlighted, onRows, onChoose }: SearchPopupProps) {
  const typed = text.trim();
  const suggestions = useSuggestions(text);
  const popular = usePopularSearches(typed === '');
  const rows = typed === '' ? popular : suggestions.items;
  useEffect(() => {
    onRows(rows);
    return () => onRows(nothing);
  }, [rows, onRows]);

  const isTooShort = typed.length < shortestSuggestion;
  const isSearching = suggestions.isLoading && rows.length === 0;
  const hasNothing = suggestions.isAnswered && rows.length === 0;
  if (rows.length === 0 && !isSearching && !hasNothing && !(isTooShort && typed !== ''))
    return null;
  return (
    <div
      className={styles.popup}
      role="presentation"
      onMouseDown={(event) => {
        if (event.target !== event.currentTarget) event.preventDefault();
      }}
    >
      {typed === '' ? (
        <p className={styles.title} aria-hidden="true">
          Popular searches
        </p>
      ) : null}
      {rows.length > 0 ? (
        // A select can neither contain pictures nor leave the focus in the field, hence these
        // roles.
        <div
          id={listId}
          role="listbox"
          aria-label={typed === '' ? 'Popular searches' : 'Suggestions'}
          aria-busy={suggestions.isLoading || undefined}
        >
          {rows.map((row, index) => (
            // Keys act on the field, which names the highlighted row (aria-activedescendant).
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
            <div
              key={`${row.type} ${row.text}`}
              id={`${listId}-${index}`}
              className={styles.row}
              role="option"
              aria-selected={index === highlighted}
              tabIndex={-1}
              onClick={() => onChoose(row.text)}
            >
              <RowPicture row={row} />
              <span className={styles.rowText}>
                {splitTyped(row.text, typed === '' ? '' : suggestions.query).map((part) =>
                  part.isTyped ? (
                    <span key={part.start}>{part.text}</span>
                  ) : (
                    <b key={part.start} className={typed === '' ? styles.plain : undefined}>
                      {part.text}
                    </b>
                  ),
                )}
              </span>
              <span className={styles.type}>{suggestionTypeLabels[row.type]}</span>
            </div>
          ))}
        </div>
      ) : null}
      {isSearching ? <p className={styles.message}>Searching...</p> : null}
      {hasNothing ? <p className={styles.message}>No suggestions found</p> : null}
      {hasNothing || (isTooShort && typed !== '') ? (
        <button type="button" className={styles.searchFor} onClick={() => onChoose(text)}>
          <Icon name="search" size={18} />
          <span>Search for "{typed}"</span>
        </button>
      ) : null}
      <output className="visually-hidden">{announcement(rows.length, typed, suggestions)}</output>
    </div>
  );
}

function usePopularSearches(isWanted: boolean): Suggestion[] {
  const [popular, setPopular] = useState(nothing);
  useEffect(() => {
    if (isWanted) void popularSearches().then(setPopular);
  }, [isWanted]);
  return popular;
}

const typeIcons: Record<Suggestion['type'], IconName> = {
  deal: 'tag',
  product: 'tag',
  category: 'shopping-bag',
  merchant: 'store',
};

function RowPicture({ row }: { row: Suggestion }) {
  return (
    <span className={styles.picture}>
      {(row.type === 'deal' || row.type === 'product') && row.image_url ? (
        <img
          src={row.image_url}
          alt=""
          width={36}
          height={36}
          decoding="async"
          referrerPolicy="no-referrer"
        />
      ) : (
        <Icon name={typeIcons[row.type]} size={18} />
      )}
    </span>
  );
}

function announcement(count: number, typed: string, suggestions: SuggestionState): string {
  if (count > 0 && !suggestions.isLoading) {
    const kind = typed === '' ? 'popular search' : 'suggestion';
    return count === 1
      ? `1 ${kind}`
      : `${count} ${typed === '' ? 'popular searches' : 'suggestions'}`;
  }
  return suggestions.isAnswered ? 'No suggestions' : '';
}
