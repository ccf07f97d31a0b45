import { Form, Link } from 'react-router';
import { dealMessages } from '#app/features/deals/deal-messages.ts';
import type { ManagedDeal } from '#app/features/deals/managed-deal-queries.server.ts';
import { ConfirmAct } from '../frame/confirm-act.tsx';
import { menuItemClass, RowMenu } from '../frame/row-menu.tsx';
import { editHref } from './edit-href.ts';

/** Everything that can be done with one deal of the list whose address has this search. */
export function dealMenu(search: string) {
  return (deal: ManagedDeal) => <DealMenu deal={deal} search={search} />;
}

function DealMenu({ deal, search }: { deal: ManagedDeal; search: string }) {
  return (
    <RowMenu label={deal.title}>
      <Link
        to={editHref(deal.id, search)}
        className={menuItemClass}
        data-key-edit
        preventScrollReset
      >
        Edit
      </Link>
      {deal.is_active ? (
        <a href={`/deals/${deal.slug}`} className={menuItemClass}>
          View on site
        </a>
      ) : null}
      {deal.broken_url === null ? null : (
        <Act id={deal.id} intent="trust-link" label="The link is fine" />
      )}
      <Act id={deal.id} intent="duplicate" label="Duplicate" />
      <Act
        id={deal.id}
        intent={deal.is_active ? 'deactivate' : 'activate'}
        label={deal.is_active ? 'Deactivate' : 'Activate'}
      />
      <Act
        id={deal.id}
        intent={deal.is_featured ? 'unfeature' : 'feature'}
        label={deal.is_featured ? 'Unfeature' : 'Feature'}
      />
      <ConfirmAct
        label="Delete"
        look="quiet"
        className={menuItemClass}
        question={dealMessages.deleteQuestion}
        detail={
          <p>
            “{deal.title}” goes with its price history, favorites and alerts. You can undo it for an
            hour.
          </p>
        }
        confirmLabel="Delete deal"
        fields={{ intent: 'delete', id: String(deal.id) }}
      />
    </RowMenu>
  );
}

function Act({ id, intent, label }: { id: number; intent: string; label: string }) {
  return (
    <Form method="post">
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="id" value={id} />
      <button type="submit" className={menuItemClass}>
        {label}
      </button>
    </Form>
  );
}
