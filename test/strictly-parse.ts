export interface StrictXml {
  /**
   * Returns the texts of elements that match this path: `item title` matches anywhere below,
   * `channel > title` directly below.
   */
  texts: (path: string) => string[];
  attributes: (path: string) => Record<string, string>[];
}

interface Element {
  path: string[];
  text: string;
  attributes: Record<string, string>;
}

const name = '[A-Za-z_][\\w:.-]*';
const token = new RegExp(
  [
    '<!\\[CDATA\\[(?<cdata>[\\s\\S]*?)\\]\\]>',
    '<!--(?:(?!--)[\\s\\S])*-->',
    `</(?<close>${name})\\s*>`,
    `<(?<open>${name})(?<attributes>(?:\\s+${name}=(?:"[^"<]*"|'[^'<]*'))*)\\s*(?<empty>/?)>`,
    '(?<text>[^<]+)',
  ].join('|'),
  'y',
);
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Parses XML strictly, unlike the product's lenient parsers. Requires tags closed in order, one
 * root, quoted and unique attributes, no stray `&` or `]]>`, valid characters, and declared
 * namespaces. Throws with the position of the first error.
 */
export function strictlyParse(xml: string): StrictXml {
  const fault = (what: string, at: number): never => {
    throw new Error(`${what} at ${at}: ${JSON.stringify(xml.slice(at, at + 60))}`);
  };
  const forbidden = /(?![\t\n\r\u0080-\u009F])\p{Cc}|[\uFFFE\uFFFF]|\p{Cs}/u.exec(xml);
  if (forbidden) fault('forbidden character', forbidden.index);
  const declaration = /^<\?xml version="1\.0" encoding="utf-8"\?>\s*/i.exec(xml);
  if (!declaration) fault('no declaration', 0);

  const elements: Element[] = [];
  const open: Element[] = [];
  const prefixes = new Set(['xml', 'xmlns']);
  token.lastIndex = declaration?.[0].length ?? 0;
  let roots = 0;
  while (token.lastIndex < xml.length) {
    const at = token.lastIndex;
    const groups = token.exec(xml)?.groups;
    if (!groups) return fault('not well-formed', at);
    const current = open.at(-1);
    if (groups.text !== undefined || groups.cdata !== undefined) {
      const text = groups.cdata ?? decode(groups.text ?? '', at);
      if (!current && text.trim() !== '') fault('text outside the root', at);
      if (groups.text?.includes(']]>')) fault('stray ]]>', at);
      for (const element of open) element.text += text;
    } else if (groups.open !== undefined) {
      const element = {
        path: [...(current?.path ?? []), groups.open],
        text: '',
        attributes: readAttributes(groups.attributes ?? '', at),
      };
      if (!current && ++roots > 1) fault('a second root', at);
      for (const attribute of Object.keys(element.attributes)) {
        if (attribute.startsWith('xmlns:')) prefixes.add(attribute.slice('xmlns:'.length));
      }
      const prefix = groups.open.includes(':') ? groups.open.split(':')[0] : undefined;
      if (prefix && !prefixes.has(prefix)) fault(`undeclared prefix ${prefix}`, at);
      elements.push(element);
      if (!groups.empty) open.push(element);
    } else if (groups.close !== undefined) {
      if (current?.path.at(-1) !== groups.close) fault('closed in the wrong order', at);
      open.pop();
    }
  }
  if (open.length > 0 || roots !== 1) fault('not closed', xml.length);

  const find = (path: string) => elements.filter((element) => matches(element.path, path));
  return {
    texts: (path) => find(path).map(({ text }) => text),
    attributes: (path) => find(path).map(({ attributes }) => attributes),
  };

  function readAttributes(text: string, at: number): Record<string, string> {
    const attributes: Record<string, string> = {};
    for (const [, key = '', quoted = ''] of text.matchAll(/([\w:.-]+)=("[^"]*"|'[^']*')/g)) {
      if (key in attributes) fault(`attribute ${key} twice`, at);
      attributes[key] = decode(quoted.slice(1, -1), at);
    }
    return attributes;
  }

  function decode(text: string, at: number): string {
    return text.replace(
      /&(?:#(\d+)|#x([\da-f]+)|(\w+));|&/gi,
      (whole, decimal?: string, hex?: string, entity?: string) => {
        if (decimal) return String.fromCodePoint(Number(decimal));
        if (hex) return String.fromCodePoint(Number.parseInt(hex, 16));
        return entities[entity ?? ''] ?? fault(`stray ${whole}`, at);
      },
    );
  }
}

function matches(path: string[], wanted: string): boolean {
  const [child = '', ...ancestors] = wanted.split(' ').toReversed();
  if (path.at(-1) !== child) return false;
  if (ancestors[0] === '>') return path.at(-2) === ancestors[1];
  return ancestors.every((ancestor) => path.slice(0, -1).includes(ancestor));
}
