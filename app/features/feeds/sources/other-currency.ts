/** Explains that all prices in a currency other than the site's would be rejected. */
export function otherCurrency(site: string): string {
  return `This site’s currency is ${site}, so prices in others are rejected. Leave it blank, or change the site’s currency in its settings.`;
}
