/** The encodings that can be chosen for a feed, in the order of the select. */
export const feedEncodings = [
  'auto',
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'iso-8859-2',
  'iso-8859-15',
  'koi8-r',
  'shift_jis',
  'euc-jp',
  'euc-kr',
  'gb18030',
  'big5',
] as const;

export type FeedEncoding = (typeof feedEncodings)[number];

const labels: Record<FeedEncoding, string> = {
  auto: 'Automatic',
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16, little-endian',
  'utf-16be': 'UTF-16, big-endian',
  'windows-1252': 'Western European (windows-1252)',
  'windows-1250': 'Central European (windows-1250)',
  'windows-1251': 'Cyrillic (windows-1251)',
  'windows-1253': 'Greek (windows-1253)',
  'windows-1254': 'Turkish (windows-1254)',
  'windows-1255': 'Hebrew (windows-1255)',
  'windows-1256': 'Arabic (windows-1256)',
  'windows-1257': 'Baltic (windows-1257)',
  'iso-8859-2': 'Central European (ISO 8859-2)',
  'iso-8859-15': 'Western European (ISO 8859-15)',
  'koi8-r': 'Cyrillic (KOI8-R)',
  shift_jis: 'Japanese (Shift JIS)',
  'euc-jp': 'Japanese (EUC-JP)',
  'euc-kr': 'Korean (EUC-KR)',
  gb18030: 'Chinese (GB18030)',
  big5: 'Chinese, traditional (Big5)',
};

export const encodingChoices = feedEncodings.map((value) => ({ value, label: labels[value] }));
