/**
 * Names of parameters for sessions, campaigns, clicks, partners and caches, without punctuation and
 * final digits. Names that may identify a product are left out.
 */
const trackingNames = new Set(
  `sid sess session sessid sessionid phpsessid jsessionid oscsid xtcsid zenid cfid cftoken
   campaign campaignid cmp cmpid xtor mccid mceid mkttok hsenc hsmi wtmc skwcid efid adgroup adgroupid
   refsrc refurl referer referrer gclid gclsrc gbraid wbraid dclid fbclid msclkid ttclid twclid yclid
   ysclid clid igsh igshid lifatid epik rdtcid srsltid irclickid irgwc awc cjevent cjdata sscid tduid
   clickid clickref trk trackid trackingid tracking aff affid affiliate affiliateid affsub afftrack
   awinaffid partner partnerid pubid pubref publisherid subid subtag sub1 sub2 sub3 sub4 sub5 epi u1
   ranmid raneaid ransiteid timestamp nocache cachebuster`.split(/\s+/),
);
const trackingPrefix =
  /^(?:utm|mtm|pk|piwik|matomo|hsa|itm|gad|vero|trk|pf_rd|pd_rd|at|wt)[_.](?!id$)|^aspsessionid|^_(?:ga|gl|ke|kx|pos|psq|ss|openstat)$/i;

/** Session ids in a path, such as `;jsessionid=5`. */
export const pathSession = /;(?:jsessionid|phpsessid|sid)=[^/;]*/gi;

/** Whether a parameter of a link is irrelevant to the product. */
export function isTrackingParameter(name: string): boolean {
  const plain = name.toLowerCase().replace(/[^a-z\d]/g, '');
  if (trackingNames.has(plain) || trackingPrefix.test(name)) return true;
  return trackingNames.has(plain.replace(/(?<!\d)\d+$/, ''));
}
