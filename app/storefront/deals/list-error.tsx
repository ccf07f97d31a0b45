import { isRouteErrorResponse, useLocation } from 'react-router';
import { nearestOf } from '#app/storefront/not-found/did-you-mean.tsx';
import { NotFound } from '#app/storefront/not-found/not-found.tsx';
import { ButtonLink, PrimaryLink } from '#app/ui/button.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';

/** Shown instead of a list that does not exist. Anything but a 404 goes on to the top-level error screen. */
export function ListError({ error }: { error: unknown }) {
  const { pathname, search } = useLocation();
  if (!isRouteErrorResponse(error) || error.status !== 404) throw error;
  const lastPage = lastPageOf(error.data);
  if (lastPage === null) return <NotFound path={pathname} nearest={nearestOf(error)} />;
  const hrefOf = (page: number) => {
    const query = new URLSearchParams(search);
    query.delete('page');
    if (page > 1) query.set('page', String(page));
    return `${pathname}?${query}`.replace(/\?$/, '');
  };
  return (
    <MessagePanel
      icon="search"
      level={1}
      title="Page Not Found"
      actions={
        <>
          <PrimaryLink to={hrefOf(1)}>Go to the First Page</PrimaryLink>
          {lastPage > 1 ? (
            <ButtonLink to={hrefOf(lastPage)}>Go to Page {lastPage}</ButtonLink>
          ) : null}
        </>
      }
    >
      This list has {lastPage === 1 ? 'only one page' : `only ${lastPage} pages`}.
    </MessagePanel>
  );
}

function lastPageOf(body: unknown): number | null {
  const isBeyond = typeof body === 'object' && body !== null && 'beyondPage' in body;
  return isBeyond && typeof body.beyondPage === 'number' ? body.beyondPage : null;
}
