import { readMerchant } from '#app/admin/deals/read-deal-form.server.ts';
import { answerSave } from '#app/admin/frame/answer-save.server.ts';
import { backToList } from '#app/admin/frame/back-to-list.ts';
import { refuseForm, typedValues } from '#app/admin/frame/form-outcome.ts';
import type { Context } from '#app/admin/frame/read-or-fail.server.ts';
import { rowTexts } from '#app/admin/frame/row-texts.ts';
import { requireUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { couponInput } from '#app/features/coupons/coupon-input.ts';
import { couponMessages } from '#app/features/coupons/coupon-messages.ts';
import {
  type EditableCoupon,
  editableCoupons,
} from '#app/features/coupons/editable-coupons.server.ts';
import { nameMerchant } from '#app/features/merchants/merchant-picker-queries.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { fieldErrors } from '#app/platform/input-fields.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { readText } from '#app/platform/read-text.ts';
import { toWallClock } from '#app/platform/wall-clock.ts';
import type { Db } from '#database/connect.ts';

export const couponEditor = {
  noun: 'coupon',
  list: '/admin/coupons',
  rows: editableCoupons,
  messages: couponMessages,
};

/** Saves a coupon from its form; a new one has no `id`. */
export async function saveCoupon(request: Request, context: Context, id: string | undefined) {
  const { db } = appServices(context);
  const actor = requireUser(context).id;
  const form = await readFormBody(request);
  const values = typedValues(form);
  const { timeZone } = await readSiteSettings(db);
  const merchant = await readMerchant(db, readText(form, 'merchant'));
  const parsed = couponInput(timeZone).safeParse({
    ...values,
    merchant_id: merchant.ok ? merchant.id : 1, // Reported as an error of `merchant`.
  });
  if (!parsed.success || !merchant.ok) {
    const errors = {
      ...(merchant.ok ? {} : { merchant: merchant.error }),
      ...(parsed.success ? {} : fieldErrors(parsed.error)),
    };
    return refuseForm({ values, errors });
  }
  const expectedVersion = Number(values['version']);
  const saved = await (id === undefined
    ? editableCoupons.create(db, parsed.data, actor)
    : editableCoupons.update(db, parseRowId(id) ?? 0, parsed.data, { actor, expectedVersion }));
  return answerSave(context, saved, {
    values,
    backTo: backToList(request.url, couponEditor.list),
    words: {
      done: `Coupon ${id === undefined ? 'created' : 'updated'}.`,
      changedMeanwhile: 'Someone else saved this coupon in the meantime.',
      goneWhileEdited: 'Someone else deleted this coupon in the meantime.',
    },
    textsOf: (row) => couponTexts(db, row, timeZone),
    errors: { 'slug-taken': { code: couponMessages.codeTaken } },
  });
}

/** Returns a coupon's form values as text. */
export async function couponTexts(
  db: Db,
  { starts_at, ends_at, ...coupon }: EditableCoupon,
  timeZone: string,
): Promise<Record<string, string>> {
  return {
    ...rowTexts(coupon),
    merchant: (await nameMerchant(db, coupon.merchant_id)) ?? '',
    starts_at: starts_at ? toWallClock(starts_at, timeZone) : '',
    ends_at: ends_at ? toWallClock(ends_at, timeZone) : '',
  };
}
