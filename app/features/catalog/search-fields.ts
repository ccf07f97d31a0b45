/** characters that search engines show of a title and a description; longer ones are cut */
export const shownInSearch = { title: 70, description: 160 } as const;

/** The columns with a page's texts in search results and when shared. */
export const searchColumns = ['seo_title', 'seo_description', 'share_text', 'noindex'] as const;

export const searchLabels = {
  seo_title: 'SEO Title',
  seo_description: 'SEO Description',
  share_text: 'Text when shared',
  noindex: 'Hide from search engines',
};

/** The texts of a page in search results and when shared. Blank ones fall back to the default. */
export interface SearchTexts {
  seo_title: string | null;
  seo_description: string | null;
  share_text: string | null;
  noindex: boolean;
}
