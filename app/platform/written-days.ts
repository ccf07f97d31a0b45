/** The order of a date such as 03/04/2026: day first or month first. */
export type DayOrder = 'dmy' | 'mdy';

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const numeric = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?=$|[\sT,])/;

/** Returns the order of the dates in a file, or `usual` if all of them can be read both ways. */
export function findDayOrder(texts: readonly string[], usual: DayOrder): DayOrder {
  for (const text of texts) {
    const [, first, separator, second] = numeric.exec(text.trim()) ?? [];
    if (separator === '.' || Number(first) > 12) return 'dmy';
    if (Number(second) > 12) return 'mdy';
  }
  return usual;
}

/** Parses the date in a cell as written, whatever its time zone. Returns it as `2026-11-21`. */
export function readDay(text: string, order: DayOrder): string | null {
  const typed = text.trim();
  const iso = /^(\d{4})[-/.]?(\d{2})[-/.]?(\d{2})(?=$|[\sT])/.exec(typed);
  if (iso) return dayOf(iso[1], iso[2], iso[3]);
  if (/^\d{10}(?:\d{3})?$/.test(typed)) return dayOfSeconds(Number(typed.slice(0, 10)));
  const [, first, separator, second, year] = numeric.exec(typed) ?? [];
  if (first) {
    const isDayFirst = separator === '.' || order === 'dmy';
    return isDayFirst ? dayOf(year, second, first) : dayOf(year, first, second);
  }
  const named =
    /^(?<day>\d{1,2})[\s-]+(?<month>[a-z]{3,9})\.?[\s,-]+(?<year>\d{4}|\d{2})(?!\d)/i.exec(typed) ??
    /^(?<month>[a-z]{3,9})\.?\s+(?<day>\d{1,2}),?\s+(?<year>\d{4})(?!\d)/i.exec(typed);
  const { day, month = '', year: inYear } = named?.groups ?? {};
  const number = months.indexOf(month.slice(0, 3).toLowerCase()) + 1;
  return day && number > 0 ? dayOf(inYear, String(number), day) : null;
}

function dayOf(year = '', month = '', day = ''): string | null {
  const full = year.length === 2 ? `20${year}` : year;
  const text = `${full}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const at = Date.parse(`${text}T00:00:00Z`);
  // JavaScript turns the 31st of a short month into a day of the next month.
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text ? null : text;
}

function dayOfSeconds(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}
