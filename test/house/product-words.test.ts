import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { backOfficeWords } from './back-office-words.ts';
import { storefrontWords } from './product-words.ts';

const root = path.resolve(import.meta.dirname, '../..');
const texts = new Map(
  execFileSync(
    'git',
    ['ls-files', '-co', '--exclude-standard', 'app', 'content', 'server', 'database'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  )
    .split('\n')
    .filter((file) => /\.(?:tsx?|sql|md|json)$/.test(file) && !/\.test\.tsx?$/.test(file))
    .map((file) => [file, readFileSync(path.join(root, file), 'utf8')]),
);

describe('the specification’s texts', () => {
  // Proves Storefront 1: Hero copy: 80 %, daily, 60 % (site-settings.ts)
  // Proves Back office 8: Blog: created, updated, deleted, not found (post-messages.ts)
  // Proves Back office 8: Seeder: “Error seeding data: …” (desk-messages.ts)
  test.each([...storefrontWords, ...backOfficeWords])(
    'shows the specification’s texts where they belong: $of',
    (place) => {
      const sources = [...texts].filter(([file]) =>
        place.within.some((at) => (at.endsWith('/') ? file.startsWith(at) : file === at)),
      );
      const missing = place.words.filter((words) => {
        const pattern = patternOf(words);
        return !sources.some(([, text]) => pattern.test(text));
      });
      expect(missing).toEqual([]);
    },
  );

  test('calls stores “stores” on visitor pages, and “merchants” only where the specification uses that word', () => {
    const quoted = new Set(storefrontWords.flatMap(({ words }) => words));
    const strays = [...texts]
      .filter(([file]) => /^(?:app\/(?:storefront|account)|content)\//.test(file))
      .flatMap(([file, text]) => shownPhrases(file, text).map((phrase) => ({ file, phrase })))
      .filter(({ phrase }) => /\bmerchants?\b/i.test(phrase) && !quoted.has(phrase));
    expect(strays).toEqual([]);
  });

  test('separates an optional sentence in markup from the one before it by a space', () => {
    const joined = [...texts]
      .filter(([file]) => file.endsWith('.tsx'))
      .flatMap(([file, text]) => joinedSentences(text).map((found) => `${file}: ${found}`));
    expect(joined).toEqual([]);
    expect(joinedSentences("<p>\n  One.\n  {isTwo ? 'Two.' : ''}\n</p>")).toHaveLength(1);
    expect(joinedSentences("<p>\n  One.{isTwo ? 'Two.' : ''}\n</p>")).toHaveLength(1);
    expect(joinedSentences("<p>\n  {isOne ? 'One.' : 'None.'}\n  Two.\n</p>")).toHaveLength(1);
    expect(joinedSentences("<p>\n  One.\n  {isTwo ? ' Two.' : ''}\n</p>")).toEqual([]);
    expect(joinedSentences("<p>\n  {isOne ? 'One.' : ''}{' '}\n  Two.\n</p>")).toEqual([]);
  });

  // Proves Storefront 8: Newsletter: three messages with detail (newsletter-messages.ts)
  test('replaces the specification’s texts only if a decision or record says so', () => {
    const reasons = [...storefrontWords, ...backOfficeWords].flatMap(({ replaced = {} }) =>
      Object.values(replaced),
    );
    expect(reasons.filter((reason) => !/^(?:P|decision |record )\d+/.test(reason))).toEqual([]);
  });

  test('finds the specification’s complete texts, however a source wraps and escapes them', () => {
    const inSource = (source: string, words: string) => patternOf(words).test(source);
    expect(inSource("title: 'No deals found'", 'No deals found')).toBe(true);
    expect(inSource("'No deals found here'", 'No deals found')).toBe(false);
    expect(inSource('<p>\n  You&apos;re\n  here\n</p>', "You're here")).toBe(true);
    expect(inSource('`Hello ${user.name}!`', 'Hello {name}!')).toBe(true);
    expect(inSource('<p>Hello {user.name}!</p>', 'Hello {name}!')).toBe(true);
    expect(inSource('`Hello name!`', 'Hello {name}!')).toBe(false);
  });
});

/**
 * Returns the places where JSX drops the line break between two sentences, one of which is an
 * expression.
 */
function joinedSentences(source: string): string[] {
  const quote = `['"\`]`;
  const before = String.raw`[\w}][.!?]\s*\{[^{}'"\`]*\?\s*${quote}[A-Z]`;
  const after = String.raw`[.!?]${quote}\}\n\s*[A-Z][a-z]`;
  return source.match(new RegExp(`${before}|${after}`, 'g')) ?? [];
}

/**
 * Returns a pattern that finds a text in strings and between tags, as a whole or as one of several
 * sentences.
 */
function patternOf(words: string): RegExp {
  const inner = words
    .split(/(\{\w+\}|\s+|['’]|[“”"])/)
    .map((part) => {
      if (/^\{\w+\}$/.test(part)) return String.raw`\$?\{(?:[^{}]|\{[^{}]*\})*\}`;
      if (/^\s+$/.test(part)) return String.raw`(?:\s|\{' '\})+`;
      if (/^['’]$/.test(part)) return String.raw`(?:\\?['’]|&apos;)`;
      if (/^[“”"]$/.test(part)) return '(?:[“”"]|&quot;|&ldquo;|&rdquo;)';
      return part.replaceAll(/[.*+?^$()|[\]\\/{}]/g, String.raw`\$&`).replace('&', '(?:&|&amp;)');
    })
    .join('');
  return new RegExp(
    String.raw`(?:['"\`>}:.!]|^)\s*${inner}\s*(?:['"\`<{$]|[.!?…:,;(]|$|(?<=[.!?])\s+[A-Z]|: )`,
    'm',
  );
}

/**
 * Returns the visible texts in a source: text between tags, and strings that begin with a capital
 * letter or contain several words.
 */
function shownPhrases(file: string, text: string): string[] {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$|^import[\s\S]*?;$/gm, '');
  const found = file.endsWith('.md')
    ? text.replaceAll(/\]\([^)]*\)/g, ']').split(/\n{2,}/)
    : [...code.matchAll(/>([^<>{}=;]+)<|'([^'\n]+)'|"([^"\n]+)"|`([^`]+)`/g)].map(
        ([, between, ...strings]) => between ?? strings.find(Boolean) ?? '',
      );
  return found
    .map((phrase) => phrase.replaceAll(/\$\{[^}]*\}|\{\{.*?\}\}/g, '…').replaceAll(/\s+/g, ' '))
    .map((phrase) => phrase.trim().replaceAll('’', "'"))
    .filter((phrase) => /^[A-Z]|\w \w/.test(phrase) && !phrase.startsWith('/'));
}
