import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { detectEncoding } from './detect-encoding.ts';

/** Product titles as shops write them, by language. */
const titles: Record<string, Record<string, string[]>> = {
  'windows-1250': {
    Czech: [
      'Žluťoučký kůň – příliš',
      'Dětské tričko s potiskem',
      'Hrnek na kávu, bílý 300 ml',
      'Dámské zimní boty černé',
      'Bezdrátová sluchátka s mikrofonem',
      'Křeslo houpací dřevěné',
      'Kávovar na espresso, nerez',
    ],
    Slovak: [
      'Detská posteľ s úložným priestorom',
      'Pánska bunda čierna',
      'Kľúčenka z kože',
      'Stôl jedálenský dubový',
      'Chladnička s mrazničkou',
      'Sieť proti hmyzu',
    ],
    Polish: [
      'Łódź pneumatyczna 3-osobowa',
      'Krzesło biurowe czarne',
      'Kubek ceramiczny żółty',
      'Spodnie męskie bawełniane',
      'Zegarek damski złoty',
      'Książka kucharska',
      'Pościel z mikrofibry 160x200',
    ],
    Hungarian: [
      'Férfi póló fehér',
      'Kávéfőző gép',
      'Gyerek kerékpár kék',
      'Vezeték nélküli fülhallgató',
      'Női csizma fekete bőr',
      'Fűnyíró elektromos',
    ],
    Romanian: [
      'Cană ceramică albă',
      'Pantofi bărbaţi din piele',
      'Maşină de spălat rufe',
      'Căşti fără fir',
      'Jucărie pentru copii',
      'Încărcător rapid',
    ],
    Croatian: [
      'Muška košulja dugih rukava',
      'Dječja kolica',
      'Bežične slušalice',
      'Ženska torba crna',
      'Kožni pojas smeđi',
      'Čaša za vino',
    ],
  },
  'windows-1251': {
    Russian: [
      'Кружка керамическая белая',
      'Чайник электрический 1.7 л',
      'Смартфон Samsung Galaxy чёрный',
      'Кроссовки мужские',
      'Куртка зимняя женская',
      'Наушники беспроводные',
    ],
    Ukrainian: [
      'Чашка керамічна біла',
      'Електрочайник 1,7 л',
      'Кросівки чоловічі чорні',
      'Дитяча іграшка',
      'Навушники бездротові',
      'Сукня жіноча літня',
    ],
    Bulgarian: [
      'Чаша за кафе бяла',
      'Мъжки обувки черни',
      'Безжични слушалки',
      'Дамска чанта',
      'Детска играчка',
      'Прахосмукачка без торба',
    ],
  },
  'windows-1253': {
    Greek: [
      'Ανδρικό μπλουζάκι λευκό',
      'Ασύρματα ακουστικά',
      'Καφετιέρα φίλτρου 1,2 L',
      'Γυναικεία τσάντα ώμου',
      'Παιδικό ποδήλατο',
      'Ηλεκτρική σκούπα',
      'ΚΑΡΕΚΛΑ ΓΡΑΦΕΙΟΥ ΜΑΥΡΗ',
    ],
  },
  shift_jis: {
    Japanese: [
      'ワイヤレスイヤホン ブラック',
      'コーヒーカップ 白 300ml',
      '子供用自転車 16インチ',
      '折りたたみ傘',
      'レディース冬用ブーツ',
      '電気ケトル 1.2L',
      '【送料無料】本革財布',
    ],
  },
  'euc-kr': {
    Korean: [
      '무선 블루투스 이어폰',
      '커피잔 세트 화이트',
      '남성 겨울 자켓 블랙',
      '전기 주전자 1.7L',
      '어린이 자전거',
      '여성용 가죽 가방',
    ],
  },
  gb18030: {
    Chinese: [
      '无线蓝牙耳机 黑色',
      '陶瓷咖啡杯 300ml',
      '男士冬季外套',
      '儿童自行车 16寸',
      '电热水壶 1.7升',
      '手机保护壳 适用于华为',
      '女式真皮手提包',
    ],
  },
  'windows-1252': {
    German: [
      'Größe L, grün',
      'Kaffeemaschine für Büro',
      'Schöne Stühle aus Eiche',
      'Gürtel weiß',
      'Übergangsjacke Herren',
    ],
    French: [
      'Théière en fonte émaillée',
      'Chaussures d’été légères',
      'Crème brûlée – coffret',
      'Vélo électrique à assistance',
      'Fenêtre de toit',
      'Cœur de pièce',
    ],
    Spanish: [
      'Camión de juguete para niños',
      'Lámpara de pie clásica',
      'Pantalón vaquero azul',
      'Café molido 500 g',
      'Mochila pequeña nº 5',
    ],
    Italian: [
      'Caffè macinato più aroma',
      'Città in miniatura',
      'Felpa con qualità',
      'Tè verde perché sì',
      'Lampada blu però',
    ],
    Portuguese: [
      'Calções de algodão',
      'Camisola de lã para homem',
      'Máquina de café expresso',
      'Relógio à prova de água',
      'Fogão elétrico',
    ],
    Dutch: ['Koffiezetapparaat één kop', 'Zeeën van ruimte', 'Coördinaten kaart', 'Cliënt stoel'],
    Swedish: [
      'Kaffebryggare för två',
      'Stövlar herr svarta',
      'Täcke blå 150x210',
      'Hörlurar trådlösa',
    ],
    Danish: ['Køkkenmaskine rød', 'Trådløse høretelefoner', 'Børnecykel blå', 'Læderbælte sort'],
    Finnish: ['Kahvinkeitin hopeanvärinen', 'Miesten kengät', 'Pöytälamppu', 'Lämpömittari'],
    Icelandic: [
      'Kaffivél með þrýstingi',
      'Ullarpeysa græn',
      'Barnahjól rautt með ljósi',
      'Úr fyrir íþróttir',
    ],
    English: [
      'Paint 2.5 L covers 10 m² – white',
      'Storage box 0.5 m³',
      '½" drill bit £4.99',
      'Oven 250°C',
      'LEGO® City™',
      'Café table',
      'The shop’s own “best” mug',
      '4 × 5 m³ tank',
    ],
  },
  'windows-1254': {
    Turkish: [
      'Kablosuz kulaklık siyah',
      'Çocuk bisikleti',
      'Kahve fincanı gümüş',
      'Erkek kışlık ayakkabı',
      'Şarj aleti hızlı',
      'Büyük boy yağlı boya',
    ],
  },
  'windows-1257': {
    Lithuanian: [
      'Vyriški batai juodi',
      'Kavos puodelis šviesus',
      'Belaidės ausinės',
      'Vaikiškas dviratis mėlynas',
      'Moteriška rankinė',
      'Žieminė striukė',
    ],
  },
  'iso-8859-2': {
    Polish: [
      'Krzesło biurowe wyściełane',
      'Książka kucharska',
      'Świeca zapachowa',
      'Źródło światła LED',
      'Pościel żółta',
    ],
  },
  'koi8-r': {
    Russian: [
      'Кружка керамическая белая',
      'Чайник электрический',
      'Кроссовки мужские',
      'Куртка зимняя женская',
    ],
  },
};
const cases = Object.entries(titles).flatMap(([encoding, languages]) =>
  Object.entries(languages).map(([language, texts]) => ({ encoding, language, texts })),
);

function feedOf(texts: readonly string[]): string {
  const rows = texts.map((text, n) => `${n},"${text}",https://shop.example/p/${n},1${n}.90 EUR`);
  return ['id,title,link,price', ...rows, ''].join('\r\n');
}

/** A guess is considered right if it yields the same text. */
const readAs = (encoding: string, bytes: Buffer) => iconv.decode(bytes, encoding);

describe('the encoding of a feed', () => {
  it.each(cases)('detects the encoding $encoding of a feed in $language', ({ encoding, texts }) => {
    const feed = feedOf(texts);
    const bytes = iconv.encode(feed, encoding);
    expect(readAs(encoding, bytes)).toBe(feed);
    expect(readAs(detectEncoding(bytes), bytes)).toBe(feed);
    const bare = iconv.encode(texts.join('\t'), encoding);
    expect(readAs(detectEncoding(bare), bare)).toBe(texts.join('\t'));
  });

  it.each(['windows-1252', 'windows-1250', 'windows-1251'])(
    'detects the encoding %s if all its languages are mixed',
    (encoding) => {
      const feed = feedOf(Object.values(titles[encoding] ?? {}).flat());
      expect(detectEncoding(iconv.encode(feed, encoding))).toBe(encoding);
    },
  );

  it('detects an encoding by one title in most cases, and otherwise assumes windows-1252', () => {
    const all = cases.flatMap(({ encoding, texts }) =>
      texts.map((text) => ({ text, bytes: iconv.encode(text, encoding) })),
    );
    const wrong = all.filter(({ text, bytes }) => readAs(detectEncoding(bytes), bytes) !== text);
    expect(wrong.length / all.length).toBeLessThan(0.12);
    expect(new Set(wrong.map(({ bytes }) => detectEncoding(bytes)))).toEqual(
      new Set(['windows-1252']),
    );
  });
});
