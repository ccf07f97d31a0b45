import type { SearchTexts } from '#app/features/catalog/search-fields.ts';

/** Returns the head of a store's page. */
export function describeMerchant({
  name,
  description,
  seo_title,
  seo_description,
  share_text,
  share_image_url,
}: Partial<SearchTexts> & {
  name: string;
  description: string;
  share_image_url?: string | null;
}) {
  return {
    title: seo_title || `${name} Deals`,
    description: seo_description || description || `Deals at ${name}, each with its price history.`,
    shareText: share_text || null,
    image: share_image_url || null,
  };
}
