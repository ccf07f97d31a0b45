export const alertKinds = [
  'target',
  'any_drop',
  'percent_drop',
  'new_low_30',
  'new_low_90',
  'back_in_stock',
] as const;

export type AlertKind = (typeof alertKinds)[number];

export const alertKindLabels: Record<AlertKind, string> = {
  target: 'It costs my target or less',
  any_drop: 'The price drops at all',
  percent_drop: 'The price drops by a percentage',
  new_low_30: 'It is cheaper than in the last 30 days',
  new_low_90: 'It is cheaper than in the last 90 days',
  back_in_stock: 'It is back in stock',
};

export function isAlertKind(text: string): text is AlertKind {
  return alertKinds.some((one) => one === text);
}

/** What waits, in a few words: "10 % or more below $20.00". */
export function describeAlert(
  alert: { kind: AlertKind; target_price: number | null; target_percent: number | null },
  formatPrice: (cents: number) => string,
): string {
  switch (alert.kind) {
    case 'target':
      return formatPrice(alert.target_price ?? 0);
    case 'percent_drop':
      return `${alert.target_percent ?? 0}% drop`;
    case 'any_drop':
      return 'Any drop';
    case 'new_low_30':
      return 'New 30-day low';
    case 'new_low_90':
      return 'New 90-day low';
    case 'back_in_stock':
      return 'Back in stock';
  }
}

/** 90 % of the present price, to the cent. */
export function defaultTarget(salePrice: number): number {
  return Math.max(1, Math.round(salePrice * 0.9));
}

/** The highest target of an alert whose deal is gone: 999,999.00. */
export const highestTarget = 99_999_900;
