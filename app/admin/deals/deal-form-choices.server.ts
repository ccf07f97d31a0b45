import { data } from 'react-router';
import type { Db } from '#database/connect.ts';
import { listCategories } from '#app/features/categories/category-queries.server.ts';
import { dealMessages } from '#app/features/deals/deal-messages.ts';
import type { CreateDealResult } from '#app/features/deals/publish-deal.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { typedValues } from '../frame/form-outcome.ts';
import type { DealFormAnswer } from './deal-form.tsx';

/** What a deal's form offers, and the settings that its values are read by. */
export async function readDealFormChoices(db: Db) {
  const [categories, { timeZone, currency }] = await Promise.all([
    listCategories(db),
    readSiteSettings(db),
  ]);
  return {
    categories: categories.map(({ id, name }) => ({ value: String(id), label: name })),
    timeZone,
    currency,
  };
}

type Refusal = Extract<CreateDealResult, { ok: false }>['reason'];

const refusals: Record<Refusal, Record<string, string>> = {
  'slug-taken': { slug: dealMessages.slugTaken },
  'no-such-merchant': { merchant: dealMessages.noMerchant },
  'no-such-category': { category_id: dealMessages.noCategory },
};

/** What only the database could know: said at its field. */
export function refuseDeal(form: FormData, reason: Refusal) {
  const outcome = { ok: false as const, errors: refusals[reason], values: typedValues(form) };
  return data<DealFormAnswer>({ outcome }, { status: 422 });
}
