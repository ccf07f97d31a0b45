/** Returns the URL of a list without its order, page and exactness. */
export function watchedAddress(href: string): string {
  const [path = '', query = ''] = href.split('?');
  const kept = new URLSearchParams(query);
  for (const name of ['sort', 'page', 'exact']) kept.delete(name);
  return kept.size > 0 ? `${path}?${kept}` : path;
}
