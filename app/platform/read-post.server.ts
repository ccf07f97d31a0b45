import type { ActionFunctionArgs } from 'react-router';
import { appServices } from './app-context.server.ts';
import { parseRowId } from './parse-row-id.ts';
import { readFormBody } from './read-form-body.ts';
import { readText } from './read-text.ts';

export type Post = Awaited<ReturnType<typeof readPost>>;

/**
 * Returns the inputs of a route's action: the services, and the posted form with the action and the
 * row that it names.
 */
export async function readPost(
  context: ActionFunctionArgs['context'],
  request: ActionFunctionArgs['request'],
) {
  const services = appServices(context);
  const form = await readFormBody(request);
  const text = (name: string) => readText(form, name);
  const rowId = (name: string) => parseRowId(form.get(name));
  return { context, services, db: services.db, form, text, rowId, intent: text('intent') };
}
