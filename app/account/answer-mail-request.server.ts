import type { ActionFunctionArgs } from 'react-router';
import { emailInput, readForm } from '#app/features/accounts/account-input.ts';
import {
  acceptForm,
  refuseForm,
  refuseMachines,
} from '#app/features/accounts/answer-form.server.ts';
import { type AppServices, appServices, requestFacts } from '#app/platform/app-context.server.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';

/** A form that asks for a mail to an address. Its answer says nothing about whether there was one to send (R13). */
export async function answerMailRequest(
  { context, request }: Pick<ActionFunctionArgs, 'context' | 'request'>,
  send: (services: AppServices, email: string, address: string) => Promise<void>,
  message: string,
) {
  const services = appServices(context);
  const { address } = requestFacts(context);
  const form = await readFormBody(request);
  const isMachine = await refuseMachines(services, form, address);
  if (isMachine) return isMachine;
  const read = readForm(emailInput, form);
  if (!read.ok) return refuseForm(form, read);
  await send(services, read.value.email, address);
  return acceptForm(message);
}
