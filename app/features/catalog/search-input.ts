import { orNull, pictureUrl, text, tick } from '#app/platform/input-fields.ts';

/** The form's fields for `searchColumns`. */
export const searchFields = {
  seo_title: orNull(text(200)),
  seo_description: orNull(text(500)),
  share_text: orNull(text(500)),
  noindex: tick,
};

/** The field for a link preview's picture, for pages without a picture of their own. */
export const shareImage = orNull(pictureUrl);
