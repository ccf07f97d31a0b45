import type { FeedRow } from './feed-fields.ts';
import { toPlainLine } from './feed-text.ts';

/** A link that replaces it is cut at the start, since its end distinguishes products. */
export function readProductId({ external_id = '', deal_url }: FeedRow['values']): string {
  const id = toPlainLine(external_id);
  return id.length > 255 && external_id === deal_url ? id.slice(-255) : id;
}
