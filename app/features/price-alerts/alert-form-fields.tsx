import { useId, useState } from 'react';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { centsToDecimal, formatMoney } from '#app/platform/money.ts';
import { Button } from '#app/ui/button.tsx';
import { useIsHydrated } from '#app/platform/use-is-hydrated.ts';
import {
  type AlertKind,
  alertKindLabels,
  alertKinds,
  defaultTarget,
  highestTarget,
} from './alert-kind.ts';
import { alertMessages } from './alert-messages.ts';
import styles from './alert-form.module.css';

const quickPicks = [5, 10, 20] as const;

/** What to wait for. `salePrice` bounds the target, null where it is not shown; with `initial` the form changes an alert that is there. */
export function AlertFormFields({
  salePrice,
  initial,
  onTargetChange,
}: {
  salePrice: number | null;
  initial?: { kind: AlertKind; target_price: number | null; target_percent: number | null };
  onTargetChange?: (kind: AlertKind, typed: string) => void;
}) {
  const { currency } = useSite();
  const id = useId();
  const [kind, setKind] = useState<AlertKind>(initial?.kind ?? 'target');
  const [target, setTarget] = useState(
    centsToDecimal(initial?.target_price ?? defaultTarget(salePrice ?? highestTarget)),
  );
  // Without scripts every field stays usable: what the choice above does not need is not read.
  const isHydrated = useIsHydrated();
  const change = (nextKind: AlertKind, nextTarget: string) => {
    setKind(nextKind);
    setTarget(nextTarget);
    onTargetChange?.(nextKind, nextTarget);
  };
  const picks = salePrice === null ? [] : quickPicks.map((percent) => pickOf(salePrice, percent));
  return (
    <div className={styles.fields}>
      <div className={styles.pair}>
        <label htmlFor={`${id}-kind`}>Tell me when</label>
        <select
          id={`${id}-kind`}
          name="kind"
          value={kind}
          onChange={(event) => change(event.currentTarget.value as AlertKind, target)}
        >
          {alertKinds.map((one) => (
            <option key={one} value={one}>
              {alertKindLabels[one]}
            </option>
          ))}
        </select>
      </div>
      <div className={styles.pair} data-hidden={kind !== 'target' || undefined}>
        <label htmlFor={`${id}-target`}>Target Price ({symbolOf(currency)})</label>
        <input
          id={`${id}-target`}
          name="target"
          type="number"
          inputMode="decimal"
          step="0.01"
          min="0.01"
          max={centsToDecimal(salePrice ? salePrice : highestTarget)}
          required={kind === 'target'}
          disabled={isHydrated && kind !== 'target'}
          value={target}
          onChange={(event) => change(kind, event.currentTarget.value)}
          aria-describedby={`${id}-help`}
        />
        <p id={`${id}-help`} className={styles.help}>
          {alertMessages.helper}
        </p>
        <div className={styles.picks} data-needs-js>
          {picks.map(({ percent, cents }) => (
            <Button key={percent} onClick={() => change('target', centsToDecimal(cents))}>
              −{percent}%<span className="visually-hidden">: {formatMoney(cents, currency)}</span>
            </Button>
          ))}
          <Button onClick={() => change('new_low_90', target)}>New low</Button>
        </div>
      </div>
      <div
        className={styles.pair}
        data-hidden={kind !== 'percent_drop' || undefined}
        data-without-js={kind === 'percent_drop' ? undefined : true}
      >
        <label htmlFor={`${id}-percent`}>Drop by at least (%)</label>
        <input
          id={`${id}-percent`}
          name="percent"
          type="number"
          inputMode="numeric"
          min="1"
          max="99"
          step="1"
          defaultValue={initial?.target_percent ?? 10}
        />
      </div>
    </div>
  );
}

function pickOf(salePrice: number, percent: number): { percent: number; cents: number } {
  return { percent, cents: Math.max(1, Math.round((salePrice * (100 - percent)) / 100)) };
}

/** `USD` → `$`. */
function symbolOf(currency: string): string {
  return formatMoney(0, currency).replaceAll(/[\d.,\s]/g, '');
}
