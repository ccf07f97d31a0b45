import { Link } from 'react-router';
import { buttonClass } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import styles from './alert-form.module.css';
import { useHasAlert } from './alerts-context.tsx';
import { type AlertDeal, openAlertDialog } from './open-alert-dialog.ts';

/** The bell. A link to the page that makes an alert; with scripts it opens the dialog in place. */
export function AlertButton({ deal, hasLabel = false }: { deal: AlertDeal; hasLabel?: boolean }) {
  const isOn = useHasAlert(deal.id);
  return (
    <Link
      to={`/price-alerts/new?deal=${deal.id}`}
      className={
        hasLabel ? buttonClass({ look: 'secondary' }) : buttonClass({ isIcon: true }, styles.bell)
      }
      data-on={isOn || undefined}
      {...(hasLabel
        ? {}
        : { 'aria-label': `${isOn ? 'Change price alert' : 'Price alert'}: ${deal.title}` })}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        openAlertDialog(deal);
      }}
    >
      <Icon name="bell" size={18} />
      {hasLabel ? (isOn ? 'Price Alert set' : 'Price Alert') : null}
    </Link>
  );
}
