import { pagedParameters } from '#app/platform/page-number.ts';
import { type PageParameters, textParameter } from '#app/platform/page-parameters.ts';

/** The parameters of `/coupons`: a page, and the slug of a store. */
export const couponParameters: PageParameters<{ page: number; merchant: string }> = {
  ...pagedParameters,
  merchant: textParameter('merchant', (text) => (/^[a-z0-9-]{1,100}$/.test(text) ? text : '')),
};
