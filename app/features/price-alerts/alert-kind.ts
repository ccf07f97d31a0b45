import { mostUnits, unitsIn } from '#app/platform/money.ts';

export const alertKindLabels = {
  target: 'It costs my target or less',
  any_drop: 'The price drops',
  percent_drop: 'The price drops by a percentage',
  new_low_30: 'It is cheaper than in the last 30 days',
  new_low_90: 'It is cheaper than in the last 90 days',
  back_in_stock: 'It is back in stock',
};

export type AlertKind = keyof typeof alertKindLabels;
export const alertKinds = Object.keys(alertKindLabels).filter(isAlertKind);

export function isAlertKind(text: string): text is AlertKind {
  return Object.hasOwn(alertKindLabels, text);
}

/** The condition of an alert. */
export interface AlertRule {
  kind: AlertKind;
  target_price: number | null;
  target_percent: number | null;
  /** Whether the alert fires each time instead of once. */
  repeats: boolean;
}

/** Returns only the condition from a row. */
export function ruleOf({ kind, target_price, target_percent, repeats }: AlertRule): AlertRule {
  return { kind, target_price, target_percent, repeats };
}

/** Describes the condition briefly, such as "10% drop, each time". */
export function describeAlert(alert: AlertRule, formatPrice: (amount: number) => string): string {
  const words: Record<AlertKind, string> = {
    target: formatPrice(alert.target_price ?? 0),
    any_drop: 'Any drop',
    percent_drop: `${alert.target_percent ?? 0}% drop`,
    new_low_30: 'New 30-day low',
    new_low_90: 'New 90-day low',
    back_in_stock: 'Back in stock',
  };
  return words[alert.kind] + (alert.repeats ? ', each time' : '');
}

/** Describes the condition within a sentence, such as "the price drops by 10%". */
export function describeWish(alert: AlertRule, formatPrice: (amount: number) => string): string {
  if (alert.kind === 'target') return `it costs ${formatPrice(alert.target_price ?? 0)} or less`;
  if (alert.kind === 'percent_drop') return `the price drops by ${alert.target_percent ?? 0}%`;
  const label = alertKindLabels[alert.kind];
  return label[0]?.toLowerCase() + label.slice(1);
}

/** Returns 90% of the current price, rounded to the minor unit. */
export function defaultTarget(salePrice: number): number {
  return Math.max(1, Math.round(salePrice * 0.9));
}

/** Returns the maximum target of an alert whose deal is gone: 999,999. */
export function highestTarget(currency: string): number {
  return Math.min(999_999 * unitsIn(currency), mostUnits);
}
