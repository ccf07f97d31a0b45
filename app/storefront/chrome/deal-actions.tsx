import { useLocation } from 'react-router';
import { useViewer } from '#app/features/accounts/sessions/viewer-context.tsx';
import type { AlertDialog } from '#app/features/price-alerts/alert-dialog.tsx';
import { bellWords } from '#app/features/price-alerts/set-bells.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { opens } from '#app/islands/island.tsx';
import { pickFields } from '#app/platform/pick-fields.ts';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { type DealActionsProps, SignedInActions } from './signed-in-actions.tsx';

/**
 * A deal's favorite and alert buttons. With labels, signed-out visitors see them too: a heart
 * redirects to sign in and back, and an alert asks for an email address.
 */
export function DealActions(props: DealActionsProps) {
  if (useViewer()) return <SignedInActions {...props} />;
  return props.hasLabels ? <StrangersActions {...props} /> : null;
}

function StrangersActions({ deal, price }: DealActionsProps) {
  const { pathname } = useLocation();
  const { currency } = useSite();
  return (
    <>
      {/* The action redirects to sign in, and back once the deal is saved. */}
      <form method="post" action="/favorites">
        <input type="hidden" name="deal_id" value={deal.id} />
        <input type="hidden" name="want" value="set" />
        <input type="hidden" name="return_to" value={pathname} />
        <Button type="submit" variant="secondary">
          <Icon name="heart" size={18} />
          <span>Favorite</span>
        </Button>
      </form>
      {deal.is_expired || price === null ? null : (
        <ButtonLink
          to={`/price-alerts/new?deal=${deal.id}`}
          {...opens<typeof AlertDialog>('alert-dialog', {
            deal: {
              ...pickFields(deal, ['id', 'title', 'picture', 'merchantName']),
              sale_price: price,
            },
            currency,
            rules: null,
          })}
        >
          <Icon name="bell" size={18} />
          <span>{bellWords(deal.title, false).label}</span>
        </ButtonLink>
      )}
    </>
  );
}
