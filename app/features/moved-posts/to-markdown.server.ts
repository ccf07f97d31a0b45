import { DomUtils, parseDocument } from 'htmlparser2';

type Node = ReturnType<typeof parseDocument>['children'][number];
type Element = Extract<Node, { attribs: Record<string, string> }>;

const blockTags = new Set(
  'p h2 h3 h4 ul ol li dl blockquote pre hr figure figcaption table caption thead tbody tfoot tr th td'.split(
    ' ',
  ),
);
/** Elements that Markdown lacks remain HTML. Pages can show both. */
const htmlBlocks = new Set(['table', 'figure', 'dl']);
const htmlInline = new Set('u s sub sup mark small abbr q ins del kbd'.split(' '));

/** Converts cleaned HTML to Markdown with the same text, links, pictures and lists. */
export function toMarkdown(html: string): string {
  return blocksOf(parseDocument(html).children).join('\n\n');
}

function isElement(node: Node): node is Element {
  return 'attribs' in node;
}

function isText(node: Node): node is Extract<Node, { data: string }> {
  return 'data' in node && node.nodeType === 3;
}

function blocksOf(nodes: readonly Node[]): string[] {
  const blocks: string[] = [];
  let run: Node[] = [];
  const flush = () => {
    const text = inlineOf(run).trim();
    if (text !== '') blocks.push(escapeStart(text));
    run = [];
  };
  for (const node of nodes) {
    if (!isElement(node) || !blockTags.has(node.name)) {
      run.push(node);
      continue;
    }
    flush();
    blocks.push(...blockOf(node));
  }
  flush();
  return blocks;
}

function blockOf(node: Element): string[] {
  const { name, children } = node;
  if (htmlBlocks.has(name))
    return [
      DomUtils.getOuterHTML(node)
        .split('\n')
        .map((line) => line.trim())
        .join(' '),
    ];
  if (name === 'hr') return ['---'];
  if (name === 'pre') return [fenced(DomUtils.textContent(node))];
  if (name === 'ul' || name === 'ol') return [listOf(node)];
  if (name === 'blockquote') {
    const inner = blocksOf(children).join('\n\n');
    return [
      inner
        .split('\n')
        .map((line) => `> ${line}`.trimEnd())
        .join('\n'),
    ];
  }
  const level = /^h([2-4])$/.exec(name)?.[1];
  if (level === undefined) return blocksOf(children);
  const text = inlineOf(children).replace(/\\?\n/g, ' ').trim();
  return text === '' ? [] : [`${'#'.repeat(Number(level))} ${text.replace(/#$/, '\\#')}`];
}

function listOf(list: Element): string {
  const first = Number(list.attribs.start ?? 1);
  const items = list.children.filter((node) => isElement(node) && node.name === 'li');
  return items
    .map((item, place) => {
      const mark =
        list.name === 'ol'
          ? `${(Number.isInteger(first) && first >= 0 ? first : 1) + place}. `
          : '- ';
      const indent = ' '.repeat(mark.length);
      const blocks = isElement(item) ? blocksOf(item.children) : [];
      const [head = '', ...others] = blocks;
      const isTight = others.every((block) => /^(?:- |\d+\. )/.test(block));
      const inner = [head, ...others].join(isTight ? '\n' : '\n\n');
      return (
        mark +
        inner
          .split('\n')
          .map((line, at) => (at === 0 || line === '' ? line : indent + line))
          .join('\n')
      );
    })
    .join('\n');
}

function fenced(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = '`'.repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return `${fence}\n${text.replace(/\n$/, '')}\n${fence}`;
}

function inlineOf(nodes: readonly Node[]): string {
  return nodes
    .map((node) => {
      if (isElement(node)) return inlineElement(node);
      return isText(node) ? escapeText(node.data) : '';
    })
    .join('');
}

function inlineElement(node: Element): string {
  const { name, attribs, children } = node;
  if (name === 'br') return '\\\n';
  if (name === 'img') {
    const title = attribs.title
      ? ` "${attribs.title.replace(/["\\]/g, '\\$&').replace(/\s+/g, ' ')}"`
      : '';
    return `![${escapeText(attribs.alt ?? '')}](${target(attribs.src)}${title})`;
  }
  if (name === 'code') return codeSpan(DomUtils.textContent(node));
  const inner = inlineOf(children);
  if (name === 'a') {
    if (!attribs.href || inner.trim() === '') return inner;
    return `[${inner.replace(/\s+/g, ' ').trim()}](${target(attribs.href)})${inner.endsWith(' ') ? ' ' : ''}`;
  }
  if (name === 'strong' || name === 'b') return emphasis(inner, '**', 'strong');
  if (name === 'em' || name === 'i' || name === 'cite') return emphasis(inner, '*', 'em');
  return htmlInline.has(name) ? `<${name}>${inner}</${name}>` : inner;
}

/**
 * Emphasizes text. Markdown's emphasis works only next to letters and digits, so other text keeps
 * the HTML element.
 */
function emphasis(inner: string, mark: string, tag: string): string {
  const text = inner.trim();
  if (text === '') return inner;
  const before = inner.slice(0, inner.length - inner.trimStart().length);
  const after = inner.slice(inner.trimEnd().length);
  const isPlain = /^[\p{L}\p{N}]/u.test(text) && /[\p{L}\p{N}]$/u.test(text);
  const marked = isPlain ? `${mark}${text}${mark}` : `<${tag}>${text}</${tag}>`;
  return before + marked + after;
}

function codeSpan(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = '`'.repeat(Math.max(1, ...runs.map((run) => run.length + 1)));
  const flat = text.replace(/\s+/g, ' ');
  return flat.trim() === '' ? flat : `${fence}${/^`|`$/.test(flat) ? ` ${flat} ` : flat}${fence}`;
}

function target(address = ''): string {
  return `<${address.replace(/[<>\\\s]/g, (letter) => encodeURIComponent(letter))}>`;
}

function escapeText(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]<>~|]/g, '\\$&')
    .replace(/&(?=#|\w)/g, '&amp;');
}

/**
 * Escapes characters that would begin a heading, list, quotation or rule at the start of a line.
 */
function escapeStart(text: string): string {
  return text
    .split('\n')
    .map((line) =>
      line
        .trimStart()
        .replace(/^(#{1,6}(?=\s|$)|[-+=])/, '\\$1')
        .replace(/^(\d{1,9})([.)])/, '$1\\$2'),
    )
    .join('\n');
}
