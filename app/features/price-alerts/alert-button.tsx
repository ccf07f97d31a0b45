import { useSite } from '#app/features/site-settings/site-context.tsx';
import { opens } from '#app/islands/island.tsx';
import { pickFields } from '#app/platform/pick-fields.ts';
import { buttonClass } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { Link } from '#app/ui/link.tsx';
import styles from './alert-form.module.css';
import { ruleOf } from './alert-kind.ts';
import { useAlertRules } from './alerts-context.tsx';
import type { AlertDeal } from './alert-deal-summary.tsx';
import type { AlertDialog } from './alert-dialog.tsx';
import { bellWords } from './set-bells.ts';

/**
 * Renders the bell: a link to the page of a deal's alerts, which opens the dialog with JavaScript.
 */
export function AlertButton({ deal, hasLabel = false }: { deal: AlertDeal; hasLabel?: boolean }) {
  const rules = useAlertRules(deal.id);
  const isOn = rules.length > 0;
  const { currency } = useSite();
  const { label, name } = bellWords(deal.title, isOn);
  const shown = pickFields(deal, ['id', 'title', 'picture', 'sale_price', 'merchantName']);
  return (
    <Link
      to={`/price-alerts/new?deal=${deal.id}`}
      className={
        hasLabel
          ? buttonClass({ variant: 'secondary' })
          : buttonClass({ isIcon: true }, styles.bell)
      }
      data-bell={deal.id}
      data-on={isOn || undefined}
      aria-label={hasLabel ? undefined : name}
      {...opens<typeof AlertDialog>('alert-dialog', {
        deal: shown,
        currency,
        rules: rules.map(ruleOf),
      })}
    >
      <Icon name="bell" size={18} />
      {hasLabel ? <span>{label}</span> : null}
    </Link>
  );
}
