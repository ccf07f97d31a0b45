import type { ActionFunctionArgs } from 'react-router';
import {
  listAddress,
  redirectWithError,
  redirectWithFlash,
} from '#app/admin/frame/flash.server.ts';
import { productMessages, undoMessages } from '#app/features/products/product-messages.ts';
import { findProducts } from '#app/features/products/product-screen-queries.server.ts';
import { linkDeals, moveDeal, splitDeal } from '#app/features/products/review-links.server.ts';
import { undoAct } from '#app/features/products/undo-product-act.server.ts';
import { findDealBySlug } from '#app/features/deals/deal-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { readText } from '#app/platform/read-text.ts';
import type { Db } from '#database/connect.ts';

/** Changes the product of the deal in the form. Returns `null` if the form posts something else. */
export async function actOnProduct(
  context: ActionFunctionArgs['context'],
  request: Request,
  form: FormData,
  { actor, id }: { actor: string; id: number },
): Promise<Response | null> {
  const here = listAddress(request);
  const { db } = appServices(context);
  const intent = readText(form, 'intent');
  if (intent === 'undo-product') {
    return answerUndo(context, here, actor, parseRowId(readText(form, 'act')));
  }
  if (intent === 'link-product') {
    const problem = await linkTo(db, actor, id, readText(form, 'product'));
    return problem === null
      ? redirectWithFlash(context, here, productMessages.linked)
      : redirectWithError(context, here, problem);
  }
  if (intent !== 'split') return null;
  const act = await splitDeal(db, actor, id);
  if (act === null) return redirectWithError(context, here, productMessages.gone);
  const fields = { intent: 'undo-product', act: String(act) };
  const undo = { label: 'Undo', action: here, fields };
  return redirectWithFlash(context, here, productMessages.split, { undo });
}

/** Undoes a change to a product, and confirms this on the page `here`. */
export async function answerUndo(
  context: ActionFunctionArgs['context'],
  here: string,
  actor: string,
  act: number | null,
): Promise<Response> {
  const result = await undoAct(appServices(context).db, actor, act ?? 0);
  return result === 'done'
    ? redirectWithFlash(context, here, productMessages.undone)
    : redirectWithError(context, here, undoMessages[result]);
}

/** Links a deal to the product that `text` names, or to the product of the deal whose URL it is. */
async function linkTo(db: Db, actor: string, id: number, text: string): Promise<string | null> {
  const slug = /\/deals\/([^/?#]+)/.exec(text)?.[1];
  if (slug !== undefined) {
    const other = await findDealBySlug(db, slug);
    if (!other) return productMessages.notFound;
    return (await linkDeals(db, actor, id, other.id)) ? null : productMessages.gone;
  }
  const [product, ...others] = await findProducts(db, text);
  if (!product) return productMessages.notFound;
  if (others.length > 0) return productMessages.several;
  return (await moveDeal(db, actor, id, product.id)) === null ? productMessages.gone : null;
}
