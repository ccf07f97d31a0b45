import { formatMoney, parseMoney } from '#app/platform/money.ts';
import { readText } from '#app/platform/read-text.ts';
import { type AlertKind, highestTarget, isAlertKind } from './alert-kind.ts';
import { alertMessages } from './alert-messages.ts';

/** What somebody wants to be told. */
export interface AlertRule {
  kind: AlertKind;
  target_price: number | null;
  target_percent: number | null;
}

export type AlertInput = { ok: true; rule: AlertRule } | { ok: false; message: string };

/**
 * Reads a rule from a form: `kind`, `target` (a price as typed), `percent`. `salePrice` is the deal's present price,
 * the upper bound of a target; null when the deal has none. Used in the browser and again on the server.
 */
export function readAlertInput(
  form: { get(name: string): unknown },
  salePrice: number | null,
  currency: string,
): AlertInput {
  const kind = readText(form, 'kind') || 'target';
  if (!isAlertKind(kind)) return { ok: false, message: alertMessages.createFailed };
  if (kind === 'target') return readTarget(readText(form, 'target'), salePrice, currency);
  if (kind === 'percent_drop') {
    const percent = Number(readText(form, 'percent'));
    if (!Number.isInteger(percent) || percent < 1 || percent > 99) {
      return { ok: false, message: alertMessages.badPercent };
    }
    return { ok: true, rule: { kind, target_price: null, target_percent: percent } };
  }
  return { ok: true, rule: { kind, target_price: null, target_percent: null } };
}

function readTarget(typed: string, salePrice: number | null, currency: string): AlertInput {
  const target = parseMoney(typed);
  if (target === null) {
    const isNegative = Number(typed) <= 0 && typed.trim() !== '';
    return { ok: false, message: isNegative ? alertMessages.tooLow : alertMessages.notANumber };
  }
  if (target <= 0) return { ok: false, message: alertMessages.tooLow };
  if (target > (salePrice ?? highestTarget)) {
    return {
      ok: false,
      message: alertMessages.aboveSalePrice(formatMoney(salePrice ?? highestTarget, currency)),
    };
  }
  return { ok: true, rule: { kind: 'target', target_price: target, target_percent: null } };
}
