/** Symbols and words that feeds use instead of a currency code. */
const currencyWords: Record<string, string> = {
  AUD: 'a$ au$',
  BGN: 'лв лв.',
  BRL: 'r$',
  CAD: 'c$ ca$',
  CHF: 'fr fr. sfr sfr.',
  CNY: 'rmb 元',
  CZK: 'kč kc',
  EUR: '€ euro euros',
  GBP: '£ pound pounds',
  HKD: 'hk$',
  HUF: 'ft',
  ILS: '₪',
  INR: '₹',
  JPY: '円',
  KRW: '₩',
  KZT: '₸',
  MXN: 'mx$',
  NGN: '₦',
  NZD: 'nz$',
  PHP: '₱',
  PLN: 'zł zl',
  RUB: '₽ rur руб руб. р. rub.',
  SGD: 's$',
  THB: '฿',
  TRY: '₺ tl',
  UAH: '₴ грн грн.',
  USD: 'us$ usd$ dollar dollars',
  VND: '₫ đ',
};

/** Symbols and words that several currencies share. */
const sharedWords: Record<string, string> = {
  $: `USD ARS AUD BBD BMD BND BSD BZD CAD CLP COP CUP CVE DOP FJD GYD HKD JMD KYD LRD MXN NAD NIO NZD
      SBD SGD SRD TTD TWD UYU XCD ZWG`,
  '¥': 'JPY CNY',
  kr: 'DKK ISK NOK SEK',
  'kr.': 'DKK ISK NOK SEK',
  lei: 'RON MDL',
  rs: 'INR LKR MUR NPR PKR SCR',
  'rs.': 'INR LKR MUR NPR PKR SCR',
};

const currenciesOfShared = new Map(
  Object.entries(sharedWords).map(([word, codes]) => [word, new Set(codes.split(/\s+/))]),
);

/** The currency code for each word, or `null` if several currencies share the word. */
export const currencyOfWord: ReadonlyMap<string, string | null> = new Map([
  ...Object.entries(currencyWords).flatMap(([code, words]) =>
    words.split(' ').map((word): [string, string | null] => [word, code]),
  ),
  ...[...currenciesOfShared.keys()].map((word): [string, string | null] => [word, null]),
]);

/** Whether a shared word may mean this currency; `$`, for example, is never EUR. */
export function mayBeWritten(currency: string, word: string): boolean {
  return currenciesOfShared.get(word.trim().toLowerCase())?.has(currency) ?? true;
}
