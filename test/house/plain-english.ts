import { parseSync } from 'vite';

/** A place where a text breaks one of these rules of plain English. */
export interface Fault {
  rule: 'beginning' | 'pronoun' | 'test name' | 'long sentence' | 'banned word' | 'percent sign';
  at: string;
  text: string;
}

interface Text {
  kind: 'comment' | 'group name' | 'test name' | 'hint' | 'screen';
  start: number;
  text: string;
}

/** A syntax node: `type` is its ESTree name. */
interface Part extends Record<string, unknown> {
  type: string;
  start: number;
  end: number;
}

const mostWords = 25;
const beginnings =
  /^(?:What|Of|Whoever|Those|That of|It|They|Its|Their|Also|And|Nor|Why|When|How|Where|Which|Who)\b/i;
/**
 * Verbs in the imperative: a comment describes what code does, so "Returns" instead of "Return".
 */
const imperatives =
  /^(?:Add|Build|Check if|Convert|Create|Delete|Find|Get the|Insert|Make|Parse|Remove|Return|Throw|Update)\b/;
/** The beginning of a sentence whose subject is in another sentence. */
const pronouns = /^(?:It|They)\b/;
/** A requirement number, a format or a part name before the actual test name. */
const reference = /^(?:[A-Z][\w ,]{0,20}|back office \d|stage|plan|write|tell): /;
/** A third-person verb. The name is a sentence about the product, even without its `describe`. */
const thirdPerson =
  /^(?!(?:as|besides|is|its|others|this|us|was)\b)(?:[a-z-]+s|always|neither|never|no longer)\b/;
/** House words for which comments and test names must use a standard term. */
const bannedInCode = new RegExp(
  String.raw`\b(?:${[
    'whoever|whomever|somebody|anybody|watchers?|dearest|awake|hears?',
    'kept (?:page|value|part)s?|unsure pages?|stands? in for',
    'proved address(?:es)?|device marks?|back office(?! \\d)|the office',
    'mails(?![.\\w])|dearer|too dear|stand-ins?',
    'mend(?:s|ed)?|held against|(?:is|are) told|comes? (?:alive|to life)|rehears(?:e|es|ed|al)',
    'judge[sd]?|judging|leads?(?: to)?|foreign(?! keys?)|internet address(?:es)?|run of words',
    'moves in|moved in|journeys?|stands? for|br(?:ing|ings|ought) along',
    'own sets?|naive accounts?|marks? of direction|stays? behind|also (?:while|after)',
    '(?:that|which) (?:is|are) no (?!longer|more)',
  ].join('|')})\b`,
  'i',
);
/** Words that screens must not use, because screens address the reader. */
const bannedOnScreens =
  /\b(?:[Ww]hoever|[Ww]homever|[Ss]omebody|[Nn]obody|[Aa]nybody)\b|^[A-Z][^=]*\b[Mm]ails(?![.\w])/;
const spacedPercent = /[\d}…] %(?!\w)/;
/** Comments for tools, and references to the specification, which have their own format. */
const isForTools =
  /^\s*(?:Proves |oxlint|@ts-|@vite-ignore|\/ <reference|#__PURE__|often\s*$|@__PURE__)/;

/** Returns the faults in a source file. `quoted` contains texts from the specification. */
export function findFaults(file: string, source: string, quoted: ReadonlySet<string>): Fault[] {
  const lineOf = (offset: number) => source.slice(0, offset).split('\n').length;
  return textsOf(file, source).flatMap(({ kind, start, text }) => {
    const faults: Fault[] = [];
    const add = (rule: Fault['rule'], found: string) =>
      faults.push({ rule, at: `${file}:${lineOf(start)}`, text: found.slice(0, 160) });
    const isCode = kind === 'comment' || kind === 'group name' || kind === 'test name';
    const prose = text.replaceAll(/`[^`]*`/g, '`code`');
    if (isCode && beginnings.test(text)) add('beginning', text);
    if (kind === 'comment' && imperatives.test(text)) add('beginning', text);
    if (kind === 'test name' && !thirdPerson.test(text.replace(reference, '')))
      add('test name', text);
    if (isCode && bannedInCode.test(prose)) add('banned word', text);
    if (kind === 'comment' || kind === 'hint')
      for (const sentence of sentencesOf(prose))
        if (sentence.split(/\s+/).filter((word) => /\w/.test(word)).length > mostWords)
          add('long sentence', sentence);
    if (kind === 'comment')
      for (const sentence of sentencesOf(prose))
        if (pronouns.test(sentence)) add('pronoun', sentence);
    if (kind === 'hint' || kind === 'screen')
      if (!quoted.has(text)) {
        if (bannedOnScreens.test(text)) add('banned word', text);
        if (spacedPercent.test(text)) add('percent sign', text);
      }
    return faults;
  });
}

/** Splits at periods, and at colons, semicolons and dashes that could be periods. */
function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?])['”"’)]*\s+(?=[A-Z`“"'(‘0-9])|[;:]\s+|\s[–—→]\s|\n\s*\n|¶/);
}

/** Returns the comments, test names, hints and other visible texts of a file. */
function textsOf(file: string, source: string): Text[] {
  if (file.endsWith('.sql')) return commentsOfSql(source);
  const { program, comments } = parseSync(file, source);
  const isTest = /\.(?:test|e2e)\.tsx?$/.test(file);
  const isShown = /^app\//.test(file) && !isTest;
  const texts = commentsOf(source, comments);
  const visit = (part: Part, within: string): void => {
    if (part.type === 'ImportDeclaration') return;
    const name = isTest && testNameOf(part);
    if (name)
      texts.push({ kind: name.kind, start: name.part.start, text: textOf(source, name.part) });
    const label = labelOf(part) || within;
    if (isShown && /^(?:JSXText|Literal|TemplateLiteral)$/.test(part.type)) {
      const text = textOf(source, part);
      if (/\w\s+\w/.test(text) || /%/.test(text))
        texts.push({ kind: label === 'hint' ? 'hint' : 'screen', start: part.start, text });
    }
    for (const inner of partsOf(part)) visit(inner, label);
  };
  visit(program as unknown as Part, '');
  return texts;
}

/** Returns the texts of comments. Comments on consecutive lines are one text. */
function commentsOf(
  source: string,
  comments: readonly { type: string; value: string; start: number; end: number }[],
): Text[] {
  const texts: (Text & { end: number; isLine: boolean })[] = [];
  for (const { type, value, start, end } of comments) {
    if (isForTools.test(value.replace(/^\*/, ''))) continue;
    const isLine = type === 'Line' && /(?:^|\n)[ \t]*$/.test(source.slice(0, start));
    const text = value
      .replace(/^\*/, '')
      .replaceAll(/\n\s*\*(?= |\n|$)/g, '\n')
      .replaceAll(/\n(?= {3,}\S)/g, '¶')
      .replaceAll(/(?<!\n)\n(?!\n)/g, ' ');
    const last = texts.at(-1);
    const between = last && source.slice(last.end, start);
    if (last && isLine && last.isLine && /^\n[ \t]*$/.test(between ?? '')) {
      const isStructured = /^ {3,}\S/.test(value);
      last.text += `${isStructured ? '¶' : ' '}${text.trim()}`;
      last.end = end;
    } else texts.push({ kind: 'comment', start, end, isLine, text: text.trim() });
  }
  return texts.map(({ kind, start, text }) => ({ kind, start, text: text.replaceAll(/ +/g, ' ') }));
}

function commentsOfSql(source: string): Text[] {
  return [...source.matchAll(/(?:^[ \t]*-- ?.*\n)+|(?<=\S[ \t]+)-- .*/gm)].map((found) => ({
    kind: 'comment' as const,
    start: found.index,
    text: found[0]
      .replaceAll(/^[ \t]*-- ?/gm, '')
      .replaceAll(/(?<!\n)\n(?!\n)/g, ' ')
      .trim(),
  }));
}

/** Returns the first argument of a `test` or `describe` call, with its kind. */
function testNameOf({
  type,
  callee,
  arguments: given,
}: Part): { part: Part; kind: 'group name' | 'test name' } | null {
  if (type !== 'CallExpression') return null;
  let base = callee as Part;
  while (base.type === 'MemberExpression' || base.type === 'CallExpression')
    base = (base['object'] ?? base['callee']) as Part;
  const [first, second] = given as Part[];
  const called = base.type === 'Identifier' ? String(base['name']) : '';
  if (!/^(?:describe|it|test)$/.test(called) || !second || !/Literal$/.test(first?.type ?? ''))
    return null;
  return first ? { part: first, kind: called === 'describe' ? 'group name' : 'test name' } : null;
}

/** Returns the name of an attribute or property, which identifies hints. */
function labelOf({ type, name, key }: Part): string {
  const label = type === 'JSXAttribute' ? name : type === 'Property' ? key : null;
  const written = (label as Part | null)?.['name'];
  return typeof written === 'string' ? written : '';
}

function textOf(source: string, { type, start, end, value }: Part): string {
  const text =
    type === 'TemplateLiteral'
      ? source.slice(start + 1, end - 1)
      : typeof value === 'string'
        ? value
        : '';
  const before = type === 'JSXText' && source[start - 1] === '}' ? '…' : '';
  return `${before}${text}`
    .replaceAll(/\$\{[^}]*\}/g, '…')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function partsOf(part: Part): Part[] {
  return Object.values(part)
    .flat()
    .filter(
      (value): value is Part =>
        typeof value === 'object' && value !== null && typeof (value as Part).type === 'string',
    );
}
