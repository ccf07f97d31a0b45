import {
  type ActionFunction,
  data,
  type RouterContextProvider,
  type ServerBuild,
} from 'react-router';
import { errorCode } from '#database/error-code.ts';
import { isDatabaseUnavailable } from '#database/is-database-unavailable.ts';
import { redirectWithError } from '#app/admin/frame/flash.server.ts';
import { currentUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { appServices, requestFacts } from '#app/platform/app-context.server.ts';
import {
  describeFailedAct,
  type FailedAct,
  type FailedActAnswer,
  typedTexts,
} from '#app/platform/failed-acts/failed-act.ts';
import { noteFailedAct } from '#app/platform/failed-acts/failed-act-of.server.ts';
import { wantsJson } from '#app/platform/wants-json.ts';
import { formReadOf } from '#app/platform/read-form-body.ts';
import { readText } from '#app/platform/read-text.ts';
import { failedActSentences, pagesOfForms } from './failed-act-sentences.ts';

type Routes = ServerBuild['routes'];
type ActionArgs = Parameters<ActionFunction>[0] & { context: Readonly<RouterContextProvider> };

/** The layouts of the admin and of accounts. Errors of all actions below them are caught. */
const layouts = new Set(['admin/admin-layout', 'storefront/chrome/account-layout']);

/**
 * Wraps the routes of a build so that forms and actions handle their errors. The page keeps the
 * typed values, and shows the action's sentence, the cause and the reference of the log line. No
 * other code catches these errors.
 */
export function catchFailedActs(routes: Routes): Routes {
  return Object.fromEntries(
    Object.entries(routes).map(([id, route]) => {
      const action = route?.module.action;
      if (!route || !action || !isBelow(routes, id)) return [id, route];
      return [id, { ...route, module: { ...route.module, action: caught(id, route, action) } }];
    }),
  );
}

function isBelow(routes: Routes, id: string): boolean {
  const parent = routes[id]?.parentId;
  return parent !== undefined && (layouts.has(parent) || isBelow(routes, parent));
}

function caught(id: string, route: NonNullable<Routes[string]>, action: ActionFunction) {
  const hasPage = 'default' in route.module && route.module.default !== undefined;
  return async (args: ActionArgs) => {
    try {
      return await action(args);
    } catch (error) {
      // Refusals and redirects are not errors.
      if (!(error instanceof Error)) throw error;
      return answerFailure({ id, hasPage }, args, error);
    }
  };
}

/**
 * Responds in the form that the sender can read: for a script, for the client-side router, or as a
 * page.
 */
function answerFailure(
  { id, hasPage }: { id: string; hasPage: boolean },
  { request, context, params }: ActionArgs,
  error: Error,
) {
  const { id: requestId } = requestFacts(context);
  const form = formReadOf(request);
  const intent = form === null ? '' : nameOfAct(form);
  const title = failedActSentences[id]?.[intent] ?? null;
  appServices(context).log.error({ err: error, requestId }, `${title ?? id} (${intent || 'form'})`);
  const isStaff = currentUser(context)?.rights.has('admin.open') === true;
  const cause = describeCause(error, isStaff);
  const failed: FailedAct = { title, cause, requestId, values: typedTexts(form) };
  const status = isLate(error) || isConflict(error) || isDatabaseUnavailable(error) ? 503 : 500;
  if (wantsJson(request)) {
    return data({ ok: false, message: describeFailedAct(failed) }, status);
  }
  if (!hasPage) {
    return redirectWithError(
      context,
      pagesOfForms[id]?.(params) ?? '/admin',
      describeFailedAct(failed),
    );
  }
  if (new URL(request.url).pathname.endsWith('.data')) {
    return data<FailedActAnswer>({ failedAct: failed }, status);
  }
  noteFailedAct(context, failed);
  return data(undefined, status);
}

/** Returns the name of the action, such as `delete`. For an action on many rows it is the verb. */
function nameOfAct(form: FormData): string {
  const intent = readText(form, 'intent');
  return intent === 'bulk' ? readText(form, 'verb') : intent;
}

const isLate = (error: Error) =>
  ['57014', '55P03'].includes(errorCode(error)) || error.message === 'Query read timeout';
const isConflict = (error: Error) => ['40001', '40P01'].includes(errorCode(error));

/**
 * Describes the cause in our own words. Messages raised by triggers are written for people, and
 * staff may read them.
 */
function describeCause(error: Error, isStaff: boolean): string {
  const code = errorCode(error);
  if (isLate(error)) return 'The database took too long to respond. Try again in a moment.';
  if (isConflict(error)) return 'Someone else changed this at the same moment. Try again.';
  if (code === '53100') return "The database's disk is full.";
  if (['25006', '53300', '57P03'].includes(code)) {
    return 'The database accepts no changes at the moment. Try again soon.';
  }
  if (isDatabaseUnavailable(error)) {
    return 'The connection to the database was lost. Check whether your change was saved before you try again.';
  }
  if (isStaff && code === 'P0001') return error.message;
  return 'Unknown error occurred';
}
