import { type ChangeEvent, type MouseEvent, useRef, useState } from 'react';

/** Which rows of the page are ticked; and whether all that match, on every page, are meant. */
export interface RowSelection {
  count: number;
  isWholePage: boolean;
  isAll: boolean;
  has(id: string): boolean;
  setPage(isSelected: boolean): void;
  setAll(isAll: boolean): void;
  /** For the row's checkbox. With shift, everything since the last one pressed follows it. */
  boxOf(index: number): {
    checked: boolean;
    onClick: (event: MouseEvent) => void;
    onChange: (event: ChangeEvent<HTMLInputElement>) => void;
  };
}

export function useRowSelection(ids: readonly string[]): RowSelection {
  const page = ids.join(' ');
  const [state, setState] = useState({ page, ids: new Set<string>(), isAll: false });
  const lastIndex = useRef<number | null>(null);
  const isRange = useRef(false);
  // Other rows are another selection: nobody acts on what they no longer see.
  if (state.page !== page) setState({ page, ids: new Set(), isAll: false });

  const select = (chosen: readonly string[], isSelected: boolean) => {
    const next = new Set(state.ids);
    for (const id of chosen) {
      if (isSelected) next.add(id);
      else next.delete(id);
    }
    setState({ page, ids: next, isAll: false });
  };

  return {
    count: state.ids.size,
    isWholePage: ids.length > 0 && state.ids.size === ids.length,
    isAll: state.isAll,
    has: (id) => state.ids.has(id),
    setPage: (isSelected) => select(ids, isSelected),
    setAll: (isAll) => setState({ ...state, isAll }),
    boxOf: (index) => ({
      checked: state.ids.has(ids[index] ?? ''),
      onClick: (event) => {
        isRange.current = event.shiftKey;
      },
      onChange: (event) => {
        const from = isRange.current ? (lastIndex.current ?? index) : index;
        const range = ids.slice(Math.min(from, index), Math.max(from, index) + 1);
        lastIndex.current = index;
        select(range, event.target.checked);
      },
    }),
  };
}
