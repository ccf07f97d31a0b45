import { describe, expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { fold, partRuns } from './fold.ts';

const database = useTestDatabase();

const pairs: [text: string, folded: string][] = [
  ['USB-C Cable', 'usb-c cable'],
  ['Größe GRÖSSE ẞ', 'grosse grosse ss'],
  ['Señora Ibáñez', 'senora ibanez'],
  ['Sen\u0303ora', 'senora'],
  ['Café™ Crème', 'cafe  creme'],
  ['Łódź, Ørsted, Æble, Þór, Đà Nẵng, œuvre', 'lodz, orsted, aeble, thor, da nang, oeuvre'],
  ['İstanbul IŞIK ılık', 'istanbul isik ilik'],
  ['НАУШНИКИ Ёлка Йод', 'наушники елка йод'],
  ['Ωραία ΑΚΟΥΣΤΙΚΆ ΟΔΟΣ οδός', 'ωραια ακουστικα οδοσ οδοσ'],
  ['سَمَّاعَات أُذُن', 'سماعات اذن'],
  ['مكتبة ١٢٣ گوشی', 'مكتبه 123 گوشي'],
  ['אוֹזְנִיּוֹת', 'אוזניות'],
  ['ﾜｲﾔﾚｽｲﾔﾎﾝ ガ ＷＨ－１０００', 'ワイヤレスイヤホン ガ wh-1000'],
  ['무선 이어폰', '무선 이어폰'],
  ['หูฟังไร้สาย', 'หูฟังไร้สาย'],
  ['हेडफ़ोन', 'हेडफ़ोन'.normalize('NFKD')],
  ['Levi’s “501” – 10×15', `levi's "501" - 10x15`],
];

const foldedByDatabase = async (texts: readonly string[]) =>
  (
    await database.pool.query<{ folded: string[] }>(
      'select array(select fold(one) from unnest($1::text[]) with ordinality as given (one, n) order by n) as folded',
      [texts],
    )
  ).rows[0]?.folded;

describe('the folded form of a text', () => {
  test.each(pairs)('folds %s to %s', (text, folded) => expect(fold(text)).toBe(folded));

  test('folds a text as the database does', async () => {
    const folded = pairs.map((pair) => pair[1]);
    expect(await foldedByDatabase(pairs.map(([text]) => text))).toEqual(folded);
  });

  test('folds every letter, mark and number as the database does, and only once', async () => {
    // The range above includes Han, Hangul, and characters that only the newest Unicode has.
    const letters = Array.from({ length: 0x3400 }, (_, code) => String.fromCodePoint(code + 1))
      .filter((letter) => letter !== '\u1c89')
      .filter((letter) => /[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Z}]/u.test(letter));
    const folded = letters.map((letter) => fold(`a${letter}b`));
    const theirs = await foldedByDatabase(letters.map((letter) => `a${letter}b`));
    expect(letters.filter((_, index) => folded[index] !== theirs?.[index])).toEqual([]);
    expect(folded.filter((text) => fold(text) !== text)).toEqual([]);
  });
});

test('folds a long text like a short one, whatever its letters', async () => {
  const plain = 'Made for everyday use at home. '.repeat(10);
  const long = [
    `${plain}ÉCLAIR ßé é Größe Ёлка йод “last” year’s ガﾞ İstanbul™ n\u0303`,
    `${plain}‘only’ “signs” – here…`,
    `${plain}${pairs.map(([text]) => text).join(' ')}`,
    'Беспроводные «наушники» '.repeat(20),
    'Ёжик и ещё '.repeat(30),
  ];
  expect(await foldedByDatabase(long)).toEqual(long.map(fold));
});

test('separates runs of letters without word breaks from words, as the database does', async () => {
  expect(partRuns('sony ワイヤレス・wh-1000 หูฟังabc 茶')).toEqual({
    words: 'sony  ・wh-1000  abc',
    runs: ['ワイヤレス', 'หูฟัง', '茶'],
  });
  const { rows } = await database.pool.query(
    `select part_runs('sony イヤホンwh 茶') as parted, part_runs('größe') as whole`,
  );
  expect(rows).toEqual([{ parted: 'sony  イ イヤ ヤホ ホン ン wh  茶 茶 ', whole: 'größe' }]);
});
