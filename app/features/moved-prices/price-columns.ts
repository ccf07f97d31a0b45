/** Columns that the owner names if they are not found automatically. Blank ones are detected. */
export interface PriceColumnChoices {
  deal?: string | undefined;
  date?: string | undefined;
  price?: string | undefined;
}

/** Column names of trackers and of our own exports, best first. */
const names = {
  deal: 'deal dealid id slug dealslug dealurl dealpage permalink page url',
  sku: 'sku externalid productid merchantproductid awproductid asin itemid',
  link: 'link producturl productlink deeplink',
  gtin: 'gtin ean upc barcode isbn gtin13 ean13',
  store: 'store merchant shop retailer seller storename merchantname',
  date: 'date day pricedate recordedat checkedat timestamp time since',
  price: 'price saleprice newprice amount value',
  currency: 'currency currencycode',
  source: 'source tracker origin provider',
} as const;
type Role = keyof typeof names;

/** The position of each field's column, or -1. */
export type PriceColumns = Record<Role, number>;

const plain = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Returns the columns of a header line, or the required fields that it lacks. */
export function findPriceColumns(
  header: readonly string[],
  choices: PriceColumnChoices,
): { ok: true; columns: PriceColumns } | { ok: false; missing: string[] } {
  const plainHeader = header.map(plain);
  const find = (role: Role, chosen?: string): number => {
    const known = chosen?.trim() ? [plain(chosen)] : names[role].split(' ');
    return known.map((name) => plainHeader.indexOf(name)).find((at) => at !== -1) ?? -1;
  };
  const columns: PriceColumns = {
    deal: find('deal', choices.deal),
    sku: find('sku'),
    link: find('link'),
    gtin: find('gtin'),
    store: find('store'),
    date: find('date', choices.date),
    price: find('price', choices.price),
    currency: find('currency'),
    source: find('source'),
  };
  const hasDeal = [columns.deal, columns.sku, columns.link, columns.gtin].some((at) => at !== -1);
  const missing = [
    ...(hasDeal ? [] : ['deals']),
    ...(columns.date === -1 ? ['dates'] : []),
    ...(columns.price === -1 ? ['prices'] : []),
  ];
  return missing.length > 0 ? { ok: false, missing } : { ok: true, columns };
}
