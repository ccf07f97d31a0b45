import { can } from '#app/features/accounts/policy.ts';
import { useViewer } from '#app/features/accounts/sessions/viewer-context.tsx';
import { FavoriteToggle } from '#app/features/favorites/favorite-toggle.tsx';
import { AlertButton } from '#app/features/price-alerts/alert-button.tsx';

interface ActionDeal {
  id: number;
  title: string;
  picture: string | null;
  is_expired: boolean;
  merchantName: string;
}

export interface DealActionsProps {
  deal: ActionDeal;
  /** The price in minor units, or `null` if it is hidden. */
  price: number | null;
  hasLabels?: boolean;
}

/**
 * A deal's heart and bell for signed-in visitors. There is no alert for an expired deal or a hidden
 * price.
 */
export function SignedInActions({ deal, price, hasLabels }: DealActionsProps) {
  const role = useViewer()?.role ?? null;
  return (
    <>
      {can(role, 'favorites.use') ? <FavoriteToggle deal={deal} hasLabel={hasLabels} /> : null}
      {can(role, 'alerts.use') && !deal.is_expired && price !== null ? (
        <AlertButton deal={{ ...deal, sale_price: price }} hasLabel={hasLabels} />
      ) : null}
    </>
  );
}
