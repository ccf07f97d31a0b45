import { can } from '#app/features/accounts/policy.ts';
import { useViewer } from '#app/features/accounts/viewer-context.tsx';
import { FavoriteToggle } from '#app/features/favorites/favorite-toggle.tsx';
import { AlertButton } from '#app/features/price-alerts/alert-button.tsx';

interface ActionDeal {
  id: number;
  title: string;
  image_url: string | null;
  sale_price: number;
  is_expired: boolean;
  merchant: { name: string };
}

/** The heart and the bell of a deal, for signed-in visitors. An expired deal has nothing left to wait for. */
export function DealActions({ deal, hasLabels }: { deal: ActionDeal; hasLabels?: boolean }) {
  const role = useViewer()?.role ?? null;
  return (
    <>
      {can(role, 'favorites.use') ? <FavoriteToggle deal={deal} hasLabel={hasLabels} /> : null}
      {can(role, 'alerts.use') && !deal.is_expired ? (
        <AlertButton deal={{ ...deal, merchantName: deal.merchant.name }} hasLabel={hasLabels} />
      ) : null}
    </>
  );
}
