import { useLocation, useRouteLoaderData } from 'react-router';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import { focusFirst } from '#app/ui/focus-first.ts';

interface ListData {
  ok: boolean;
  page?: { rows: readonly { id: number; title: string }[] };
}

/** Links from an open deal to the previous and next one on the same page of the list. */
export function NeighbourDeals({ id }: { id: number }) {
  const list = useRouteLoaderData<ListData>('admin/deals/admin-deals-page');
  const rows = list?.page?.rows ?? [];
  const at = rows.findIndex((row) => row.id === id);
  if (at === -1 || rows.length === 1) return null;
  return (
    <>
      <Neighbour label="Previous" deal={rows[at - 1]} />
      <Neighbour label="Next" deal={rows[at + 1]} />
    </>
  );
}

/** A link to the previous or next deal, or a disabled button at the end of the page. */
function Neighbour({ label, deal }: { label: string; deal?: { id: number; title: string } }) {
  const { search } = useLocation();
  if (!deal) {
    return (
      <Button disabled ref={keepFocus}>
        {label}
      </Button>
    );
  }
  return (
    <ButtonLink to={`/admin/deals/${deal.id}/edit`.concat(search)}>
      {label}
      <span className="visually-hidden"> deal: {deal.title}</span>
    </ButtonLink>
  );
}

/** Keeps the focus in the panel when a disabled button replaces the pressed link. */
function keepFocus(button: HTMLButtonElement | null) {
  const dialog = button?.closest('dialog');
  if (dialog?.matches(':modal') && document.activeElement === document.body) focusFirst(dialog);
}
