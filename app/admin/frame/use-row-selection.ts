import { type ChangeEvent, type MouseEvent, useRef, useState } from 'react';

export type RowSelection = ReturnType<typeof useRowSelection>;

/** Tracks which rows of the page are selected, and whether all matching rows are selected. */
export function useRowSelection(ids: readonly string[]) {
  const page = ids.join(' ');
  const [state, setState] = useState({ page, ids: new Set<string>(), isAll: false });
  const lastIndex = useRef<number | null>(null);
  const isRange = useRef(false);
  // A change of rows resets the selection, so that hidden rows are never changed.
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
    has: (id: string) => state.ids.has(id),
    setPage: (isSelected: boolean) => select(ids, isSelected),
    setAll: (isAll: boolean) => setState({ ...state, isAll }),
    /**
     * Returns the props of a row's checkbox. With Shift, the rows between this row and the last
     * clicked row are toggled, too.
     */
    boxOf: (index: number) => ({
      checked: state.ids.has(ids[index] ?? ''),
      onClick: (event: MouseEvent) => {
        isRange.current = event.shiftKey;
      },
      onChange: (event: ChangeEvent<HTMLInputElement>) => {
        const from = isRange.current ? (lastIndex.current ?? index) : index;
        const range = ids.slice(Math.min(from, index), Math.max(from, index) + 1);
        lastIndex.current = index;
        select(range, event.target.checked);
      },
    }),
  };
}
