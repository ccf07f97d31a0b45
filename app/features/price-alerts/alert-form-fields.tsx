import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { formatMoney, toDecimal } from '#app/platform/money.ts';
import { Button } from '#app/ui/button.tsx';
import { FieldFrame } from '#app/ui/field-frame.tsx';
import forms from '#app/ui/form.module.css';
import { TextField } from '#app/ui/text-field.tsx';
import { useTypedText } from '#app/ui/typed-again.ts';
import { useIsHydrated } from '#app/platform/use-is-hydrated.ts';
import {
  type AlertKind,
  alertKindLabels,
  alertKinds,
  type AlertRule,
  defaultTarget,
  highestTarget,
} from './alert-kind.ts';
import { alertMessages } from './alert-messages.ts';
import styles from './alert-form.module.css';

const quickPicks = [5, 10, 20] as const;

interface AlertFormFieldsProps {
  salePrice: number | null;
  currency: string;
  /** The existing alerts for the deal. The form starts with the first one. */
  rules: AlertRule[];
  /** An error in the target or the percentage. */
  fault?: string | undefined;
  onChange?: (kind: AlertKind, typed: string) => void;
}

/** Renders the fields of an alert. `salePrice` is the maximum target, or `null` if it is hidden. */
export function AlertFormFields({
  salePrice,
  currency,
  rules,
  fault,
  onChange,
}: AlertFormFieldsProps) {
  const present = (kind: AlertKind) => rules.find((rule) => rule.kind === kind);
  const [kind, setKind] = useState<AlertKind>(rules[0]?.kind ?? 'target');
  const typedTarget = useTypedText('target');
  const [target, setTarget] = useState(
    typedTarget ??
      toDecimal(
        present('target')?.target_price ?? defaultTarget(salePrice ?? highestTarget(currency)),
        currency,
      ),
  );
  const oftenOf = (rule?: AlertRule) => (rule?.repeats ? 'each' : 'once');
  const typedOften = useTypedText('often');
  const [often, setOften] = useState(typedOften ?? oftenOf(rules[0]));
  // Without JavaScript, every field is usable, and fields that the chosen kind does not need are
  // ignored.
  const isHydrated = useIsHydrated();
  const change = (nextKind: AlertKind, nextTarget: string) => {
    if (nextKind !== kind && present(nextKind)) setOften(oftenOf(present(nextKind)));
    setKind(nextKind);
    setTarget(nextTarget);
    onChange?.(nextKind, nextTarget);
  };
  const fields = useRef<HTMLDivElement>(null);
  const adoptTyped = useEffectEvent(() => {
    const valueOf = (name: string) =>
      fields.current?.querySelector<HTMLInputElement>(`[name="${name}"]`)?.value ?? '';
    const [typedKind, typed] = [valueOf('kind') as AlertKind, valueOf('target')];
    if (typedKind !== kind || typed !== target) change(typedKind, typed);
    setOften(valueOf('often'));
  });
  // Choices and text entered before hydration are kept.
  useEffect(() => adoptTyped(), []);
  const picks = salePrice === null ? [] : quickPicks.map((percent) => pickOf(salePrice, percent));
  return (
    <div ref={fields} className={forms.stack}>
      <input type="hidden" name="currency" value={currency} />
      <FieldFrame label="Alert me when">
        {(tie) => (
          <select
            {...tie}
            name="kind"
            value={kind}
            onChange={(event) => change(event.currentTarget.value as AlertKind, target)}
          >
            {alertKinds.map((one) => (
              <option key={one} value={one}>
                {alertKindLabels[one] + (rules.length > 1 && present(one) ? ' (set)' : '')}
              </option>
            ))}
          </select>
        )}
      </FieldFrame>
      <div className={styles.part} data-hidden={kind !== 'target' || undefined}>
        <TextField
          label={`Target Price (${symbolOf(currency)})`}
          name="target"
          inputMode="decimal"
          autoComplete="off"
          required={kind === 'target'}
          disabled={isHydrated && kind !== 'target'}
          value={target}
          onChange={(event) => change(kind, event.currentTarget.value)}
          hint={alertMessages.helper}
          error={kind === 'target' ? fault : undefined}
        />
        <div className="row gap-2" data-needs-js>
          {picks.map(({ percent, amount }) => (
            <Button key={percent} onClick={() => change('target', toDecimal(amount, currency))}>
              −{percent}%<span className="visually-hidden">: {formatMoney(amount, currency)}</span>
            </Button>
          ))}
          <Button onClick={() => change('new_low_90', target)}>New low</Button>
        </div>
      </div>
      <div
        className={styles.part}
        data-hidden={kind !== 'percent_drop' || undefined}
        data-without-js={kind === 'percent_drop' ? undefined : true}
      >
        <TextField
          label="Drop by at least (%)"
          name="percent"
          type="number"
          inputMode="numeric"
          min="1"
          max="99"
          step="1"
          defaultValue={present('percent_drop')?.target_percent ?? 10}
          error={kind === 'percent_drop' ? fault : undefined}
        />
      </div>
      <FieldFrame label="How often">
        {(tie) => (
          <select
            {...tie}
            name="often"
            value={often}
            onChange={(event) => setOften(event.currentTarget.value)}
          >
            <option value="once">Once</option>
            <option value="each">Each time the price rises and falls again</option>
          </select>
        )}
      </FieldFrame>
    </div>
  );
}

function pickOf(salePrice: number, percent: number): { percent: number; amount: number } {
  return { percent, amount: Math.max(1, Math.round((salePrice * (100 - percent)) / 100)) };
}

/** Returns the currency's symbol: `USD` → `$`. */
function symbolOf(currency: string): string {
  return formatMoney(0, currency).replaceAll(/[\d.,\s]/g, '');
}
