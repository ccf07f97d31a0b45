import { data } from 'react-router';
import { redirectWithError, redirectWithFlash } from '#app/admin/frame/flash.server.ts';
import { refuseForm, typedValues } from '#app/admin/frame/form-outcome.ts';
import type { Context } from '#app/admin/frame/read-or-fail.server.ts';
import { changeMenu, restoreMenu } from '#app/features/site-settings/change-menu.server.ts';
import { menuInput } from '#app/features/site-settings/menu-input.ts';
import type { MenuMove } from '#app/features/site-settings/menu-moves.ts';
import { isMenuName, mostLinks } from '#app/features/site-settings/menus.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { fieldErrors } from '#app/platform/input-fields.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';

const here = '/admin/menus';
const refusals = {
  changed: 'Someone else changed this menu in the meantime.',
  full: `A menu has at most ${mostLinks} links.`,
  there: 'This menu has this link already.',
} as const;

/** Adds, moves or removes a link of a menu, or restores its default. */
export async function actOnMenus(request: Request, context: Context, actor: string) {
  const { db } = appServices(context);
  const values = typedValues(await readFormBody(request));
  const { intent = '', menu = '', label = '', href = '' } = values;
  if (intent === 'add') return addLink(context, values, actor);
  if (!isMenuName(menu)) throw data(null, { status: 400 });
  if (intent === 'reset') {
    await restoreMenu(db, menu, actor);
    return redirectWithFlash(context, here, 'The default is shown again.');
  }
  if (!isMove(intent)) throw data(null, { status: 400 });
  const place = Number(values['place']);
  const moved = await changeMenu(db, menu, { kind: intent, place, link: { label, href } }, actor);
  if (!moved.ok) return redirectWithError(context, here, refusals[moved.reason]);
  if (intent !== 'remove') return redirectWithFlash(context, here, `“${label}” moved.`);
  const fields = { intent: 'add', menu, label, href, place: String(place) };
  const undo = { label: 'Undo', action: here, fields };
  return redirectWithFlash(context, here, `“${label}” removed.`, { undo });
}

async function addLink(context: Context, values: Record<string, string>, actor: string) {
  const parsed = menuInput.safeParse(values);
  if (!parsed.success) return refuseForm({ values, errors: fieldErrors(parsed.error) });
  const { menu, ...link } = parsed.data;
  const { db } = appServices(context);
  const place = /^\d{1,3}$/.test(values['place'] ?? '') ? { place: Number(values['place']) } : {};
  const added = await changeMenu(db, menu, { kind: 'add', link, ...place }, actor);
  return added.ok
    ? redirectWithFlash(context, here, `“${link.label}” added.`)
    : refuseForm({ values, errors: { href: refusals[added.reason] } });
}

function isMove(intent: string): intent is Exclude<MenuMove['kind'], 'add'> {
  return ['up', 'down', 'remove'].includes(intent);
}
