import type { Db } from '#database/connect.ts';
import {
  type ColumnFor,
  columnsFor,
  dealColumns,
  type EditableDeal,
} from '#app/features/deals/deal-columns.ts';
import { dealInput } from '#app/features/deals/deal-input.ts';
import { dealMessages } from '#app/features/deals/deal-messages.ts';
import {
  nameMerchant,
  pickMerchant,
} from '#app/features/merchants/merchant-picker-queries.server.ts';
import { toDecimal } from '#app/platform/money.ts';
import { isWrittenIn } from '#app/platform/is-written-in.ts';
import { readText } from '#app/platform/read-text.ts';
import { fromWallClock, toWallClock } from '#app/platform/wall-clock.ts';
import { dealFormFields } from './deal-form-labels.ts';

/** The currency and time zone of the form. */
interface FormUnit {
  currency: string;
  timeZone: string;
}

/** Parses a deal's form, or returns errors by field. Times are in the site's time zone. */
export async function readDealForm(db: Db, form: FormData, { currency, timeZone }: FormUnit) {
  const errors: Record<string, string> = {};
  const merchant = await readMerchant(db, readText(form, 'merchant'));
  if (!merchant.ok) errors.merchant = merchant.error;
  const expiry = readText(form, 'expires_at').trim();
  const expiresAt = expiry === '' ? null : fromWallClock(expiry, timeZone);
  if (expiry !== '' && !expiresAt) errors.expires_at = dealMessages.noTime;

  if (!isWrittenIn(form, currency)) errors.sale_price = dealMessages.otherCurrency(currency);

  const fields = dealFormFields();
  const typed = Object.fromEntries(
    fields.map((name) => {
      const isTick = name !== 'merchant' && dealColumns[name].type === 'flag';
      return [name, isTick ? form.has(name) : readText(form, name)];
    }),
  );
  const read = dealInput(currency).safeParse({
    ...typed,
    expires_at: expiresAt,
    // A missing merchant is already reported as an error.
    merchant_id: merchant.ok ? merchant.id : 1,
  });
  for (const { path, message } of read.error?.issues ?? []) {
    errors[String(path[0])] ??= message;
  }
  if (read.success && Object.keys(errors).length === 0)
    return { ok: true as const, input: read.data };
  // Errors are in the order of the form, regardless of which check found them.
  const names = fields.filter((name) => errors[name] !== undefined);
  const inOrder = Object.fromEntries(names.map((name) => [name, errors[name] ?? '']));
  return { ok: false as const, errors: inOrder };
}

/** Returns the merchant whose name was typed, or an error that suggests names. */
export async function readMerchant(
  db: Db,
  typed: string,
): Promise<{ ok: true; id: number } | { ok: false; error: string }> {
  if (typed.trim() === '') return { ok: false, error: dealMessages.noMerchant };
  const picked = await pickMerchant(db, typed);
  if (picked.ok) return picked;
  const names = picked.suggestions.slice(0, 5);
  return { ok: false, error: dealMessages.unknownMerchant(typed.trim().slice(0, 100), names) };
}

/** Returns a stored deal as the values of its form. */
export async function dealFormValues(
  db: Db,
  deal: EditableDeal,
  unit: FormUnit,
): Promise<{ merchant: string; [field: string]: string }> {
  const values = columnsFor('form').map((name) => [name, fieldText(deal, name, unit)]);
  return {
    ...Object.fromEntries(values),
    merchant: (await nameMerchant(db, deal.merchant_id)) ?? '',
  };
}

function fieldText(deal: EditableDeal, name: ColumnFor<'form'>, unit: FormUnit): string {
  const value = deal[name];
  // A price in another currency must not be saved as one in the site's currency.
  const isForeign = dealColumns[name].type === 'money' && deal.currency !== unit.currency;
  if (value === null || isForeign) return '';
  if (name === 'is_active' && deal.waits_for_price) return 'on';
  if (value instanceof Date) return toWallClock(value, unit.timeZone);
  if (typeof value === 'boolean') return value ? 'on' : '';
  return typeof value === 'number' && dealColumns[name].type === 'money'
    ? toDecimal(value, unit.currency)
    : String(value);
}
