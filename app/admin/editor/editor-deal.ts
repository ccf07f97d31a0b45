import { thumbnail } from '#app/features/pictures/picture-files.ts';
import type { EditorDeal } from './editor-deals.ts';
import { formatMoney } from '#app/platform/money.ts';

/** Returns a deal as the editor shows it. */
export function editorDeal(
  deal: {
    id: number;
    title: string;
    sale_price: number;
    picture: string | null;
    merchant: string;
  },
  currency: string,
  isOver: boolean,
): EditorDeal {
  const price = `${formatMoney(deal.sale_price, currency)} at ${deal.merchant}`;
  return {
    id: deal.id,
    title: deal.title,
    note: isOver ? `${price}. It has expired, so readers will not see it.` : price,
    picture: deal.picture && thumbnail(deal.picture),
    isLost: isOver,
  };
}
