import {
  listAddress,
  redirectWithError,
  redirectWithFlash,
} from '#app/admin/frame/flash.server.ts';
import type { Context } from '#app/admin/frame/read-or-fail.server.ts';
import { requireUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { editablePages, setPageVisible } from '#app/features/pages/change-page.server.ts';
import { pageMessages } from '#app/features/pages/page-messages.ts';
import { isTextName } from '#app/features/pages/site-texts.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { readText } from '#app/platform/read-text.ts';

/** Performs an action on a page of the list, and offers Undo. */
export async function actOnPages(request: Request, context: Context) {
  const { db } = appServices(context);
  const actor = requireUser(context).id;
  const form = await readFormBody(request);
  const id = parseRowId(readText(form, 'id')) ?? 0;
  const here = listAddress(request);
  const undoBy = (intent: string) => ({
    undo: { label: 'Undo', action: here, fields: { intent, id: String(id) } },
  });
  const intent = readText(form, 'intent');
  switch (intent) {
    case 'show':
    case 'hide': {
      const isShown = intent === 'show';
      const { ok } = await setPageVisible(db, id, isShown, actor);
      if (!ok) return redirectWithError(context, here, pageMessages.updateFailed);
      const done = isShown ? pageMessages.shown : pageMessages.hidden;
      return redirectWithFlash(context, here, done, undoBy(isShown ? 'hide' : 'show'));
    }
    case 'restore': {
      const { ok } = await editablePages.restore(db, id, actor);
      return ok
        ? redirectWithFlash(context, here, 'The page was restored.')
        : redirectWithError(context, here, 'The page could not be restored.');
    }
    case 'delete': {
      const page = await editablePages.find(db, id);
      const deleted = await editablePages.remove(db, id, actor);
      if (!page || !deleted.ok) return redirectWithError(context, here, pageMessages.deleteFailed);
      const done = isTextName(page.slug) ? pageMessages.originalRestored : pageMessages.deleted;
      return redirectWithFlash(context, here, done, undoBy('restore'));
    }
    default:
      return redirectWithError(context, here, pageMessages.updateFailed);
  }
}
