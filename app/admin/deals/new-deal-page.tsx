import { data } from 'react-router';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { dealMessages } from '#app/features/deals/deal-messages.ts';
import { addDeal } from '#app/features/deals/manage-deal.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { readText } from '#app/platform/read-text.ts';
import type { Route } from './+types/new-deal-page';
import { redirectWithFlash } from '../frame/flash.server.ts';
import { FormDialog } from '../frame/form-dialog.tsx';
import { typedValues } from '../frame/form-outcome.ts';
import { blankDeal } from './deal-form-labels.ts';
import { DealForm, type DealFormAnswer } from './deal-form.tsx';
import { listHref } from './edit-href.ts';
import { fillFromOffer } from './fill-from-offer.server.ts';
import { readDealFormChoices, refuseDeal } from './deal-form-choices.server.ts';
import { readDealForm } from './read-deal-form.server.ts';

export async function loader({ request, context }: Route.LoaderArgs) {
  requireRight(context, 'catalog.write');
  const { db } = appServices(context);
  const { categories } = await readDealFormChoices(db);
  return { categories, backTo: listHref(request.url) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const actor = requireRight(context, 'catalog.write').id;
  const services = appServices(context);
  const { db } = services;
  const form = await readFormBody(request);
  if (readText(form, 'intent') === 'fetch') return fillFromOffer(services, form);
  const { timeZone } = await readDealFormChoices(db);
  const read = await readDealForm(db, form, timeZone);
  if (!read.ok) {
    const outcome = { ok: false as const, errors: read.errors, values: typedValues(form) };
    return data<DealFormAnswer>({ outcome }, { status: 422 });
  }
  const result = await addDeal(db, actor, read.input);
  if (!result.ok) return refuseDeal(form, result.reason);
  return redirectWithFlash(context, listHref(request.url), dealMessages.created);
}

export function meta() {
  return [{ title: 'Create New Deal' }];
}

export default function NewDealPage({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <FormDialog title="Create New Deal" closeHref={loaderData.backTo}>
      <DealForm
        stored={blankDeal}
        answer={actionData}
        categories={loaderData.categories}
        submitLabel="Create Deal"
        cancelHref={loaderData.backTo}
      />
    </FormDialog>
  );
}
