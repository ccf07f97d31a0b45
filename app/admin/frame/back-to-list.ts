/** Returns the list from which a form was opened, with its search, filters and page. */
export function backToList(url: string, list: string): string {
  const { searchParams } = new URL(url);
  searchParams.delete('_routes');
  const search = searchParams.toString();
  return search ? `${list}?${search}` : list;
}
