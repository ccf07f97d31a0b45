import { useSite } from '#app/features/site-settings/site-context.tsx';
import { opens } from '#app/islands/island.tsx';
import { buttonClass } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { Link } from '#app/ui/link.tsx';
import styles from './alert-form.module.css';
import { useHasAlert } from './alerts-context.tsx';
import type { AlertDeal, AlertDialog } from './alert-form.tsx';
import { bellWords } from './set-bells.ts';

/** The bell. A link to the page that makes an alert; with scripts it opens the dialog in place. */
export function AlertButton({ deal, hasLabel = false }: { deal: AlertDeal; hasLabel?: boolean }) {
  const isOn = useHasAlert(deal.id);
  const { currency } = useSite();
  const { label, name } = bellWords(deal.title, isOn);
  return (
    <Link
      to={`/price-alerts/new?deal=${deal.id}`}
      className={
        hasLabel ? buttonClass({ look: 'secondary' }) : buttonClass({ isIcon: true }, styles.bell)
      }
      data-bell={deal.id}
      data-on={isOn || undefined}
      aria-label={hasLabel ? undefined : name}
      {...opens<typeof AlertDialog>('alert-dialog', { deal, currency })}
    >
      <Icon name="bell" size={18} />
      {hasLabel ? <span>{label}</span> : null}
    </Link>
  );
}
