import { formatMoney, parseMoney, twoWaysToRead } from '#app/platform/money.ts';
import { isWrittenIn } from '#app/platform/is-written-in.ts';
import { readText } from '#app/platform/read-text.ts';
import { type AlertRule, highestTarget, isAlertKind } from './alert-kind.ts';
import { alertMessages } from './alert-messages.ts';

export type AlertInput = { ok: true; rule: AlertRule } | { ok: false; message: string };

/**
 * Parses an alert's form, in the browser and again on the server. `salePrice` is the maximum
 * target, or `null` if there is no price.
 */
export function readAlertInput(
  form: { get(name: string): unknown },
  salePrice: number | null,
  currency: string,
): AlertInput {
  if (!isWrittenIn(form, currency)) return refused(alertMessages.otherCurrency(currency));
  const kind = readText(form, 'kind') || 'target';
  if (!isAlertKind(kind)) return refused(alertMessages.createFailed);
  const repeats = readText(form, 'often') === 'each';
  if (kind === 'target') {
    const target = readTarget(readText(form, 'target'), salePrice, currency);
    if (typeof target === 'object') return target;
    return { ok: true, rule: { kind, target_price: target, target_percent: null, repeats } };
  }
  const percent = kind === 'percent_drop' ? Number(readText(form, 'percent')) : null;
  if (percent !== null && !(Number.isInteger(percent) && percent >= 1 && percent <= 99)) {
    return refused(alertMessages.badPercent);
  }
  return { ok: true, rule: { kind, target_price: null, target_percent: percent, repeats } };
}

/** Returns the target in minor units, or the reason for a rejection. */
function readTarget(typed: string, salePrice: number | null, currency: string) {
  const target = parseMoney(typed, currency);
  const most = salePrice ?? highestTarget(currency);
  if (isTooLow(typed, currency)) return refused(alertMessages.tooLow);
  if (target === null)
    return refused(twoWaysToRead(typed, currency) ?? alertMessages.notANumber(currency));
  if (target > most) return refused(alertMessages.aboveSalePrice(formatMoney(most, currency)));
  return target;
}

export function isTooLow(typed: string, currency: string): boolean {
  const size = parseMoney(typed.replace(/^\s*[-−]/, ''), currency);
  return size === 0 || (size !== null && parseMoney(typed, currency) === null);
}

function refused(message: string) {
  return { ok: false, message } as const;
}
