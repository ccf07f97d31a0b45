import { cutText } from '#app/platform/cut-text.ts';
import type { CategoryIcon } from '#database/schema/catalog-tables.ts';
import { toPlainLine } from './feed-text.ts';
import { parseJson } from '#app/platform/parse-json.ts';

/**
 * Returns a category's path from the most general one, in any notation: `Home > Kitchen`,
 * `Home~~Kitchen`, `Home | Kitchen`, `Kitchen/Pots` or a JSON list of names. The path is empty for
 * numbers and codes, which refer to an unknown taxonomy.
 */
export function readCategoryPath(text: string): string[] {
  const parts = readJsonNames(text) ?? splitPath(text);
  return parts
    .map((part) => cutText(toPlainLine(part), 100).trim())
    .filter((part, index, all) => part !== '' && part !== all[index - 1] && !isCode(part));
}

function splitPath(text: string): string[] {
  const parts = text.split(/[>»›→|]|~~|::/u);
  if (parts.length > 1) return parts.map((part) => part.replace(/(?<![\s=-])[\s=-]+$/, ''));
  const steps = text.split('/');
  // Splits `TV/Video` as well, since each product of a feed with such paths would otherwise have
  // its own category.
  const isPath = steps.length > 1 && !/^\w+:\/\/|\d\/\d|(?:^|\s)\w\//.test(text.trim());
  return isPath && steps.every(isStep) ? steps : [text];
}

/** Whether text between slashes may be a name. `1/2 inch` and `w/o` are not paths. */
function isStep(text: string, at: number): boolean {
  const step = text.trim();
  return (at === 0 && step === '') || (step.length > 1 && /\p{L}/u.test(step));
}

/** Codes of categories, such as `MLA1055`, `el-7-9`, `100-200` or `gid://…`. */
function isCode(part: string): boolean {
  return (
    /^[\d\s.,:;_-]+$/.test(part) ||
    /^[A-Z]{0,5}[-_]?\d{4,}$/.test(part) ||
    /^[a-z]{1,3}(?:-\d+)+$/.test(part) ||
    /^(?=[a-f-]*\d)[\da-f-]{16,}$/i.test(part) ||
    /^\w+:\/\//.test(part)
  );
}

const rootNames = new Set(
  `home|home page|homepage|start|startseite|startsida|start page|accueil|page d accueil|inicio|página inicial|pagina inicial|portada|inici
   |home pagina|hoofdpagina|startpagina|beginpagina|strona główna|domů|hlavní stránka|úvod|úvodní stránka|domov|hem|hjem|forside|forsiden|etusivu
   |főoldal|kezdőlap|nyitólap|acasă|prima pagină|pagina principale|pagina iniziale|página principal|principal|pradžia|sākums|avaleht|αρχική
   |αρχική σελίδα|главная|главная страница|головна|начало|начална страница|početna|naslovnica|domača stran|ana sayfa|anasayfa|ホーム|トップ
   |トップページ|首页|首頁|홈|trang chủ|الرئيسية|דף הבית|หน้าแรก|beranda|root|root catalog|root category|default category|all categories|all products
   |alle kategorien|alle produkte|toutes les catégories|tous les produits|todas las categorías|todos los productos|todas as categorias
   |todos os produtos|tutte le categorie|tutti i prodotti|alle categorieën|alle producten|wszystkie kategorie|wszystkie produkty|všechny kategorie
   |všechny produkty|все категории|все товары|alla kategorier|alla produkter|alle kategorier|catalog|catalogue|katalog|catálogo|catalogo
   |каталог|shop|store|boutique|tienda|negozio|loja|winkel|sklep|obchod|products|produkte|produits|productos|produtos|prodotti|producten
   |produkty|produkter|товары`
    .split('|')
    .map((name) => name.trim()),
);

/** Whether a part of a path only names the site or its front page, such as `Startseite`. */
export function isRoot(name: string): boolean {
  const plain = name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[’'_.-]/g, ' ')
    .trim();
  return rootNames.has(plain) || /^(?:www\.)?[\w-]{2,60}\.[a-z]{2,3}(?:\.[a-z]{2})?$/i.test(name);
}

/** Returns the deepest of several paths, with separators that `readCategoryPath` supports. */
export function plainCategory(
  text: string,
  {
    path,
    list,
    drops,
  }: {
    path?: string | undefined;
    list?: string | undefined;
    drops?: readonly string[] | undefined;
  },
): string {
  const paths = (list === undefined ? [text] : text.split(list)).map((one) =>
    (path === undefined ? one.split('>') : one.split(path))
      .map((part) => part.trim())
      .filter((part, at) => part !== '' && !(at === 0 && drops?.includes(part))),
  );
  const deepest = paths.reduce((best, one) => (one.length > best.length ? one : best), []);
  return deepest.join(' > ');
}

function readJsonNames(text: string): string[] | null {
  const list = text.startsWith('[') ? parseJson(text) : null;
  if (!Array.isArray(list)) return null;
  return list.map((entry: unknown) => {
    const name = typeof entry === 'object' && entry && 'name' in entry ? entry.name : entry;
    return typeof name === 'string' ? name : '';
  });
}

// The first match wins, so "Tools & Home Improvement" is tools, and "Toys & Games" is not sports.
const iconWords: [CategoryIcon, RegExp][] = [
  ['wrench', /\b(tools?|hardware|improvement|diy|industrial)\b/i],
  ['gamepad2', /\b(toys?|games?|gaming|hobb)/i],
  ['smartphone', /\b(phones?|electronics?|computers?|tablets?|cameras?|audio|tech)\b/i],
  ['car', /\b(cars?|auto|automotive|vehicles?|motorcycles?)\b/i],
  ['dumbbell', /\b(sports?|outdoors?|fitness|gym|camping)\b/i],
  ['book', /\b(books?|office|school|stationery|media)\b/i],
  ['shopping-bag', /\b(bags?|luggage|jewel\w*|watch\w*|shoes?|grocer\w*|food|accessories)\b/i],
  [
    'shirt',
    /\b(apparel|cloth\w*|fashion|wom[ae]n\w*|m[ae]n|kids?|underwear|sleepwear|wear|dress\w*)\b/i,
  ],
  ['heart', /\b(beauty|health|care|cosmetics?|bab(y|ies)|pets?)\b/i],
  ['home', /\b(home|house\w*|kitchen|furniture|garden|living|textiles?|appliances?)\b/i],
];

export function fittingIcon(categoryName: string): CategoryIcon {
  // Apparel accessories are clothing; other accessories get the icon of a bag.
  if (/\bapparel\b/i.test(categoryName)) return 'shirt';
  return iconWords.find(([, words]) => words.test(categoryName))?.[0] ?? 'tag';
}
