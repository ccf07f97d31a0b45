import type { Availability } from '#database/schema/catalog-tables.ts';
import { plainFieldName } from './feed-fields.ts';

/** Availability words of feeds by language, normalized. */
const inStock = wordSet(`
  in, in stock, available, true, yes, y, limited availability, online only, in store only, low stock, limited stock,
  in stock scarce, limited supply, last few items, on stock, ready to ship, ships today, few left,
  auf lager, lagernd, verfügbar, lieferbar, sofort lieferbar, sofort verfügbar, vorrätig, ja,
  en stock, disponible, oui, en existencia, hay existencias, si, disponibile, in magazzino, em estoque, em stock,
  disponível, sim, op voorraad, leverbaar, direct leverbaar, uit voorraad leverbaar,
  skladem, na skladě, na sklade, skladom, ano, áno, dostupné, dostępny, w magazynie, na stanie, tak, na zalihi,
  i lager, på lager, finns i lager, varastossa, saatavilla, heti saatavilla, kyllä, raktáron, készleten, elérhető, igen, van,
  în stoc, disponibil, da, stokta, stokta var, var, mevcut, evet,
  в наличии, есть, да, есть в наличии, в наявності, є в наявності, є, так, на складі, на складе, налично,
  σε απόθεμα, διαθέσιμο, άμεσα διαθέσιμο, άμεση παραλαβή, ετοιμοπαράδοτο, ναι,
  متوفر, متاح, متوفر في المخزون, متوفرة, نعم, במלאי, זמין, יש במלאי, זמין במלאי, כן,
  在庫あり, あり, 有り, 販売中, 在庫有り, 재고있음, 재고 있음, 판매중, 있음, 예, 有货, 有貨, 现货, 現貨, 有库存, 有庫存, 在售, 是`);

const outOfStock = wordSet(`
  out, out of stock, oos, sold out, soldout, unavailable, false, no, n, discontinued, not available, not in stock,
  temporarily out of stock, currently unavailable, none left,
  ausverkauft, nicht auf lager, nicht verfügbar, nicht lieferbar, vergriffen, nicht vorrätig, nein,
  rupture, rupture de stock, en rupture de stock, épuisé, indisponible, non, agotado, sin existencias, sin stock, no disponible,
  esaurito, non disponibile, esgotado, indisponível, fora de estoque, sem stock, sem estoque, não,
  uitverkocht, niet op voorraad, niet leverbaar, nee,
  vyprodáno, není skladem, nedostupné, vypredané, nie je na sklade, nie, niedostępny, brak, brak w magazynie, ne,
  slutsåld, slut i lager, ej i lager, nej, udsolgt, ikke på lager, utsolgt, nei,
  loppu, loppunut, loppuunmyyty, ei varastossa, ei saatavilla, ei,
  nincs raktáron, nincs készleten, elfogyott, nem elérhető, nincs, nem,
  stoc epuizat, epuizat, indisponibil, nu este în stoc, nu, stokta yok, yok, tükendi, mevcut değil, hayır, hayir,
  нет в наличии, нет, отсутствует, распродано, немає в наявності, немає, нема, відсутній, ні, изчерпано,
  εξαντλημένο, εξαντλήθηκε, μη διαθέσιμο, εκτός αποθέματος, όχι,
  غير متوفر, غير متاح, نفد, نفذ, نفد من المخزون, نفدت الكمية, غير متوفرة, لا, אזל, אזל מהמלאי, לא במלאי, לא זמין, חסר במלאי, לא,
  在庫なし, なし, 無し, 売り切れ, 品切れ, 完売, 在庫切れ, 販売終了, 품절, 재고없음, 재고 없음, 없음, 일시품절, 판매중지, 아니오,
  无货, 無貨, 缺货, 缺貨, 售罄, 无库存, 無庫存, 已售完, 断货, 否`);

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(',').map(plainWord));
}

function plainWord(text: string): string {
  return plainFieldName(text).replaceAll('_', '');
}

/** Returns `unknown` for a preorder or backorder, which is neither in stock nor out of stock. */
export function readAvailability(text: string | undefined): Availability | null {
  if (!text) return null;
  const [start = '', amount] = /^[<>~+]? ?(-?\d{1,12}(?:[.,]\d{1,12})?)/u.exec(text.trim()) ?? [];
  const unit = text.trim().slice(start.length).replace('+', '').trim();
  if (amount !== undefined && (unit === '' || isCount(plainWord(unit)))) {
    return Number(amount.replace(',', '.')) > 0 ? 'in_stock' : 'out_of_stock';
  }
  const word = plainWord(text.trim().replace(/^https?:\/\/schema\.org\//, ''));
  return inStock.has(word) ? 'in_stock' : outOfStock.has(word) ? 'out_of_stock' : 'unknown';
}

/**
 * Whether the word after a number counts pieces, as in `1 in stock` or `3 pcs`, unlike `3 days`.
 */
function isCount(word: string): boolean {
  return (
    inStock.has(word) ||
    /^(?:pcs?|pieces?|stk|stuck|st|szt|ks|db|kpl|buc|adet|шт|unidades|pz|left|個|개|件)$/u.test(
      word,
    )
  );
}
