import { dealMessages } from '#app/features/deals/deal-messages.ts';
import { addDeal, saveDeal } from '#app/features/deals/manage-deal.server.ts';
import { fulfilProductRequest } from '#app/features/search/product-requests.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { answerSave } from '../frame/answer-save.server.ts';
import { refuseForm, typedValues } from '../frame/form-outcome.ts';
import type { Context } from '../frame/read-or-fail.server.ts';
import { dealFormValues, readDealForm } from './read-deal-form.server.ts';

/** Saves a deal from its form. `id` is null for a new deal, which may fulfill a request. */
export async function saveDealForm(
  context: Context,
  form: FormData,
  {
    actor,
    id,
    backTo,
    requestId,
  }: { actor: string; id: number | null; backTo: string; requestId: number | null },
) {
  const { db } = appServices(context);
  const unit = await readSiteSettings(db);
  const values = typedValues(form);
  const read = await readDealForm(db, form, unit);
  if (!read.ok) return refuseForm({ values, errors: read.errors });
  const saved = await (id === null
    ? addDeal(db, actor, read.input)
    : saveDeal(db, actor, id, read.input, {
        expectedVersion: Number(values['version']),
        isConfirmed: form.has('looked'),
      }));
  if (saved.ok && id === null && requestId !== null) await fulfilProductRequest(db, requestId);
  return answerSave(context, saved, {
    values,
    backTo,
    words: { ...dealMessages, done: id === null ? dealMessages.created : dealMessages.updated },
    textsOf: (deal) => dealFormValues(db, deal, unit),
    errors: {
      'slug-taken': { slug: dealMessages.slugTaken },
      'no-such-merchant': { merchant: dealMessages.noMerchant },
      'no-such-category': { category_id: dealMessages.noCategory },
    },
  });
}
