import { randomUUID } from 'node:crypto';
import { data } from 'react-router';
import { fetchOffer } from '#app/features/feeds/offers/fetch-offer.server.ts';
import { offerMessages } from '#app/features/feeds/offers/offer-messages.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { typedValues } from '../frame/form-outcome.ts';
import type { DealFormAnswer } from './deal-form.tsx';
import { fillEmptyFields } from './fill-empty-fields.ts';

/** "Fetch from URL": the form again, with what the shop's page says where nothing was typed yet. */
export async function fillFromOffer({ db }: Pick<AppServices, 'db'>, form: FormData) {
  const values = typedValues(form);
  const { currency } = await readSiteSettings(db);
  const fetched = await fetchOffer(values.deal_url ?? '', currency);
  if (!fetched.ok) {
    const outcome = { ok: false as const, values, errors: { deal_url: fetched.message } };
    return data<DealFormAnswer>({ outcome, isFetch: true }, { status: 422 });
  }
  const filled = fillEmptyFields(values, fetched.offer);
  const message = [offerMessages.filled(filled.names, fetched.host), fetched.note]
    .filter(Boolean)
    .join(' ');
  return data<DealFormAnswer>({
    filled: { id: randomUUID(), values: { ...filled.values, deal_url: fetched.url }, message },
  });
}
