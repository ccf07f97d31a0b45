import { randomUUID } from 'node:crypto';
import { fetchOffer } from '#app/features/feeds/offers/fetch-offer.server.ts';
import { offerMessages } from '#app/features/feeds/offers/offer-messages.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import type { Db } from '#database/connect.ts';
import { refuseForm, typedValues } from '../frame/form-outcome.ts';
import { fillEmptyFields } from './fill-empty-fields.ts';

/**
 * Handles "Fetch from URL": returns the form with its blank fields filled from the store's page.
 */
export async function fillFromOffer(db: Db, form: FormData) {
  const typed = typedValues(form);
  const { currency } = await readSiteSettings(db);
  const fetched = await fetchOffer(typed.deal_url ?? '', currency);
  if (!fetched.ok) {
    const errors = { deal_url: fetched.message };
    return refuseForm({ title: 'Nothing to fill in', values: typed, errors });
  }
  const filled = fillEmptyFields(typed, fetched.offer, currency);
  return {
    ok: true as const,
    id: randomUUID(),
    values: { ...filled.values, deal_url: fetched.url },
    message: [offerMessages.filled(filled.names, fetched.host), fetched.note]
      .filter(Boolean)
      .join(' '),
  };
}
