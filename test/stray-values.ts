import { Parser } from 'htmlparser2';

/** Matches a raw value such as `undefined`, anywhere in a text. */
const stray = /\[object \w+\]|\b(?:undefined|NaN)\b/;
/** Matches `null` alone or surrounded by punctuation, and as an identifier in a URL. */
const nothing = /^\W*null\W*$|[/=]null(?![\w-])/;

const isStray = (text: string) => stray.test(text) || nothing.test(text);
const isCode = (tag: string) => tag === 'script' || tag === 'style';

/** Returns the places where a page shows a raw value or contains one in an attribute. */
export function strayValues(html: string): string[] {
  const found = new Set<string>();
  const within: string[] = [];
  let text = '';
  const note = (place: string, values: string[]) => {
    const value = values.find(isStray);
    if (value !== undefined) found.add(`${place}: ${value.trim().slice(0, 200)}`);
  };
  const endText = () => {
    const tag = within.at(-1) ?? '';
    if (!isCode(tag)) note(`text of <${tag}>`, [text]);
    text = '';
  };
  const parser = new Parser({
    onopentag(tag, attributes) {
      endText();
      within.push(tag);
      for (const [name, value] of Object.entries(attributes)) {
        if (name === 'class') note(`class of <${tag}>`, [value, ...value.split(/\s+/)]);
        else if (name === 'data-props') note(`data-props of <${tag}>`, textsIn(JSON.parse(value)));
        else note(`${name} of <${tag}>`, [value]);
      }
    },
    ontext: (more) => void (text += more),
    oncomment: endText,
    onclosetag() {
      endText();
      within.pop();
    },
  });
  parser.end(html);
  return [...found];
}

/** Returns the text of a page after checking that it contains no such value. */
export async function readPage(response: Response): Promise<string> {
  const html = await response.text();
  const isPage = response.headers.get('content-type')?.startsWith('text/html') ?? false;
  const strays = isPage ? strayValues(html) : [];
  if (strays.length > 0) throw new Error(`The page shows ${strays.join(', ')}`);
  return html;
}

/** Returns every text in a JSON payload. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
