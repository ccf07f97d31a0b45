/**
 * Each language's non-ASCII letters, the most frequent first. Languages with the same encoding are
 * scored separately, since no language has all of `ř`, `ø` and `õ`.
 */
const alphabets: Record<string, string[]> = {
  'windows-1252': [
    'éèàêçôùîâûëïœæ',
    'öäüßé',
    'óáíéñúü¿¡ºª',
    'àèùòéìó',
    'ãçáéõóíêâàúôº',
    'éëïèóöü',
    'äöåé',
    'øåæéöüä',
    'íáéðúóöþæý',
  ],
  'windows-1250': [
    'íáéěýčžřšůúňóťďäöüł',
    'áíéčýžšúľťôňóäďĺŕěř',
    'łóżęąśćńźé',
    'áéöóőíüúű',
    'ăâşţîé',
    'čšžćđ',
  ],
  'windows-1251': [
    'оаеинтрсклвпумдяьыбгзчхйшжцюфщэъё',
    'оанивертіклспумдяьбгйзчхшжцїюєфщґ',
    'аоиенртсвкплмдзугбчъяйшжцхщюф',
  ],
  'windows-1253': ['αοιετσνηρπκμυλςόίάέωδγήύχθφβξζώψϊϋ'],
  'windows-1254': ['ışüğçöâi'],
  'windows-1257': ['ėšžąųūįčę', 'āīēšļņģķžčū', 'äõüöšž'],
};
alphabets['iso-8859-2'] = alphabets['windows-1250'] ?? [];
alphabets['koi8-r'] = alphabets['windows-1251']?.slice(0, 1) ?? [];

/** The most frequent characters, which make up about half of a text. */
const hangul =
  '이다의가는에을기로고하지사스리를자인시수용어은전대일상세제트해정한도서나보라주부부장원성그비조선치니과여안무카드아유공동만으소신오스마형식배터구화물중급색방면티미모노크진품우품';
const hanzi =
  '的一是不了在有人我他这中大来上个国和地到说时要就出会可也你对生能子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运包装机男女手壳充器线套';

/** The scores of a character that a language lacks, of an invalid byte, and of a common sign. */
const [foreign, broken, sign] = [-9, -14, -4];
const signs = '®™©°–—‘’“”„…•€£²³½¼¾×·«»§µ¿¡ºª\u00A0№';
const mostWords = 300;
const longestWord = 160;
/** A bonus for windows-1252, the encoding of most feeds that are not UTF-8. */
const usualBonus = 3;

/** Guesses the encoding of bytes that are not UTF-8, by how common the decoded letters are. */
export function detectEncoding(sample: Buffer): string {
  const words = wordsOf(sample);
  let best = { encoding: 'windows-1252', score: -Infinity };
  const judge = (encoding: string, score: number) => {
    if (score > best.score) best = { encoding, score };
  };
  for (const [encoding, languages] of Object.entries(alphabets)) {
    const texts = decodeAll(encoding, words);
    const bonus = encoding === 'windows-1252' ? usualBonus : 0;
    const known = languages.map(ranksOf);
    for (const ranks of [...known, mixed(known)])
      judge(encoding, scoreLetters(texts, ranks) + bonus);
  }
  judge('shift_jis', scoreSigns(decodeAll('shift_jis', words), scoreJapanese));
  judge('euc-kr', scoreSigns(decodeAll('euc-kr', words), scoreKorean));
  judge('gb18030', scoreSigns(decodeAll('gb18030', words), scoreChinese));
  return best.encoding;
}

/** Returns the distinct words with non-ASCII bytes, so that a repeated word counts once. */
function wordsOf(sample: Buffer): Uint8Array[] {
  // The second byte of a character may be an ASCII letter, but not one of these signs.
  const all = sample.toString('latin1').split(/[\0-/:-?]+/);
  const distinct = new Set(all.filter((word) => /[\x80-\xFF]/.test(word)));
  return [...distinct]
    .slice(0, mostWords)
    .map((word) => Buffer.from(word.slice(0, longestWord), 'latin1'));
}

function decodeAll(encoding: string, words: readonly Uint8Array[]): string[] {
  return words.map((word) =>
    new TextDecoder(encoding).decode(word, { stream: word.length === longestWord }),
  );
}

type Ranks = ReadonlyMap<string, number>;

function ranksOf(alphabet: string): Ranks {
  return new Map(Array.from(alphabet, (letter, rank) => [letter, (rank + 2) * 2]));
}

/** Penalizes a mix of languages, which is less likely. */
function mixed(languages: readonly Ranks[]): Ranks {
  const ranks = new Map<string, number>();
  for (const [letter, rank] of languages.flatMap((one) => [...one])) {
    ranks.set(letter, Math.min(rank * 3, ranks.get(letter) ?? Infinity));
  }
  return ranks;
}

function scoreLetters(words: readonly string[], ranks: Ranks): number {
  const isOwnScript = ranks.has('а') || ranks.has('α');
  let sum = 0;
  for (const word of words) {
    const letters = Array.from(word);
    letters.forEach((letter, at) => {
      if (letter >= '\x80') sum += scoreLetter(ranks, letter, letters[at - 1], letters[at + 1]);
      else if (isOwnScript && /[a-z]/.test(letter) && (letters[at + 1] ?? '') > '\x7F')
        sum += foreign;
    });
  }
  return sum;
}

function scoreLetter(ranks: Ranks, letter: string, before = '', after = ''): number {
  if (!/\p{L}/u.test(letter) || 'ºª'.includes(letter)) {
    if (letter === '\uFFFD' || /\p{Cc}/u.test(letter)) return broken;
    if ('²³'.includes(letter) && before === 'm') return -1;
    const isInside = /\p{L}/u.test(before) && /\p{L}/u.test(after) && !'’·–-'.includes(letter);
    return (signs.includes(letter) ? sign : foreign) + (isInside ? foreign : 0);
  }
  const rank = ranks.get(letter.toLowerCase().slice(0, 1));
  const usual = rank === undefined ? foreign : -Math.log(rank);
  const isAlone = !/\p{L}/u.test(before) && !/\p{L}/u.test(after);
  const isCapitalInside = letter !== letter.toLowerCase() && /\p{Ll}/u.test(before);
  return usual + (isAlone ? -3 : 0) + (isCapitalInside ? -5 : 0);
}

function scoreSigns(words: readonly string[], score: (letter: string) => number): number {
  let sum = 0;
  for (const word of words)
    for (const letter of word)
      if (letter >= '\x80') sum += letter === '\uFFFD' ? broken : score(letter);
  return sum;
}

function scoreJapanese(letter: string): number {
  if (/[\u3001-\u3015\u30FB\u30FC]/.test(letter)) return sign;
  if (/[\u3041-\u30FF]/.test(letter)) return -4.5;
  if (/[\u4E00-\u9FFF]/.test(letter)) return hanzi.includes(letter) ? -6 : -9;
  return /[\uFF66-\uFF9F]/.test(letter) ? foreign : -7;
}

function scoreKorean(letter: string): number {
  if (/[\uAC00-\uD7A3]/.test(letter)) return hangul.includes(letter) ? -5 : foreign;
  return /[\u4E00-\u9FFF]/.test(letter) ? -13 : -7;
}

function scoreChinese(letter: string): number {
  if (/[\u4E00-\u9FFF]/.test(letter)) return hanzi.includes(letter) ? -5.5 : -9.5;
  return /[，。、：；（）！【】“”]/.test(letter) ? sign : -10;
}
