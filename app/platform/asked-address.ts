/** The address of the requested page, without what the router adds when it only wants the data. */
export function askedAddress(request: Request): URL {
  const url = new URL(request.url);
  url.pathname = url.pathname.replace(/\.data$/, '');
  url.searchParams.delete('_routes');
  url.searchParams.delete('index');
  return url;
}
