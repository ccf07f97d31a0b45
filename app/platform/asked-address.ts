/** The address of a page that a request asks for, without what the router adds where it only wants its data. */
export function askedAddress(request: Request): URL {
  const url = new URL(request.url);
  url.pathname = url.pathname.replace(/\.data$/, '');
  url.searchParams.delete('_routes');
  url.searchParams.delete('index');
  return url;
}
