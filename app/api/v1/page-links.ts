/** Returns the Link header of a list's page (RFC 8288), empty if the response is not a list. */
export function pageLinks(
  origin: string,
  { pathname, search }: { pathname: string; search: string },
  answer: object,
): { link?: string } {
  if ('next_after' in answer && typeof answer.next_after === 'number') {
    return { link: `<${origin}${pathname}?after=${answer.next_after}>; rel="next"` };
  }
  const page = 'page' in answer ? answer.page : null;
  if (!isPage(page)) return {};
  const to = (number: number, rel: string) => {
    const parameters = new URLSearchParams(search);
    parameters.delete('page');
    if (number > 1) parameters.set('page', String(number));
    const query = parameters.size > 0 ? `?${parameters}` : '';
    return `<${origin}${pathname}${query}>; rel="${rel}"`;
  };
  const links = [to(1, 'first'), to(page.count, 'last')];
  if (page.number > 1) links.push(to(page.number - 1, 'prev'));
  if (page.number < page.count) links.push(to(page.number + 1, 'next'));
  return { link: links.join(', ') };
}

function isPage(page: unknown): page is { number: number; count: number } {
  return typeof page === 'object' && page !== null && 'number' in page && 'count' in page;
}
