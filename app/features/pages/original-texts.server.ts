// The built-in texts, from `content/`.
import about from '#content/about.md?raw';
import contact from '#content/contact.md?raw';
import cookies from '#content/cookies.md?raw';
import disclaimer from '#content/disclaimer.md?raw';
import faq from '#content/faq.md?raw';
import help from '#content/help.md?raw';
import privacy from '#content/privacy.md?raw';
import terms from '#content/terms.md?raw';
import { type TextName, textNames } from './site-texts.ts';

const files: Record<TextName, string> = {
  about,
  contact,
  cookies,
  disclaimer,
  faq,
  help,
  privacy,
  terms,
};

/** A text as in its file, with placeholders. */
export interface OriginalText {
  title: string;
  /** The title in search results, if it differs. */
  pageTitle: string;
  /** The description in search results. */
  description: string;
  intro: string;
  /** The date from which a policy applies. */
  dated: string;
  content: string;
}

const originals = new Map(textNames.map((name) => [name, readOriginal(files[name])]));

/** Returns the built-in text of a page. */
export function originalText(name: TextName): OriginalText {
  const text = originals.get(name);
  if (!text) throw new Error(`no text ${name}`);
  return text;
}

function readOriginal(file: string): OriginalText {
  const [, front = '', content = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(file) ?? [];
  const lines = front.split('\n');
  const field = (key: string) =>
    lines.find((line) => line.startsWith(`${key}: `))?.slice(key.length + 2) ?? '';
  const title = field('title');
  return {
    title,
    pageTitle: field('page') || title,
    description: field('description'),
    intro: field('lead'),
    dated: field('dated'),
    content: content.trim(),
  };
}
