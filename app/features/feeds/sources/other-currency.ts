/** Of a feed that is said to be in another currency than the site's: nothing of it would be let in. */
export function otherCurrency(site: string): string {
  return `This site’s currency is ${site}: prices in another are refused. Leave it empty, or change the site’s currency in its settings.`;
}
