interface AffiliateSettings {
  affiliate_template: string | null;
  affiliate_sub_id: string | null;
}

/**
 * Returns where to redirect a visitor: the deal's stored URL inside the merchant's affiliate
 * template. A template is a URL with the placeholders `{url}` (the stored URL,
 * percent-encoded), `{deal_id}` and `{sub_id}` (which may contain `{deal_id}` itself), like
 * networks' deep links. Alternatively, a template is a query suffix such as `?tag=name-20`, whose
 * parameters are added to the stored URL. A template that yields no http(s) URL is ignored.
 */
export function outboundUrl(
  dealUrl: string,
  merchant: AffiliateSettings,
  dealId: number | `coupon-${number}`,
): string {
  const template = merchant.affiliate_template?.trim();
  if (!template) return dealUrl;
  const subId = (merchant.affiliate_sub_id ?? '').replaceAll('{deal_id}', String(dealId));
  const filled = template
    .replaceAll('{deal_id}', String(dealId))
    .replaceAll('{sub_id}', encodeURIComponent(subId));
  if (/^[?&]/.test(filled)) return withParameters(dealUrl, filled.slice(1));
  if (!filled.includes('{url}')) return dealUrl;
  return httpAddress(filled.replaceAll('{url}', encodeURIComponent(dealUrl))) ?? dealUrl;
}

function withParameters(dealUrl: string, query: string): string {
  if (!URL.canParse(dealUrl)) return dealUrl;
  const url = new URL(dealUrl);
  for (const [name, value] of new URLSearchParams(query)) url.searchParams.set(name, value);
  return httpAddress(url.href) ?? dealUrl;
}

function httpAddress(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  return /^https?:$/.test(url.protocol) && !url.username ? url.href : null;
}
