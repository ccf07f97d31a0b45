/** For a page beyond the last of a list. */
export function beyondLast(page: number, count: number) {
  const detail = `There is no page ${page}: the list has ${count}.`;
  return { ok: false, status: 404, detail } as const;
}
