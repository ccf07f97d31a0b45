import { expect, test } from 'vitest';
import { sanitisePost } from '#app/features/blog/sanitise-post.server.ts';
import { renderMarkdown } from '#app/features/pages/render-markdown.server.ts';
import { toMarkdown } from './to-markdown.server.ts';

const origin = 'https://deals.example';
const flat = (html: string) =>
  html
    .replace(/\s+/g, ' ')
    .replace(
      / ?(<\/?(?:p|h\d|ul|ol|li|pre|blockquote|hr|br|table|thead|tbody|tr|td|th|figure|figcaption)\b[^<>]*>) ?/g,
      '$1',
    )
    .replaceAll('&quot;', '"')
    .trim();

test.each([
  '<h2>Title # 1 #</h2><p>Text with *stars*, _lines_, `ticks`, [brackets] &lt;b&gt; &amp;copy; 1 &amp; 2.</p>',
  '<p>1. not a list</p><p>- neither</p><p># nor a heading</p><p>&gt; nor a quote</p><p>+ plus</p>',
  '<p><strong>Bold</strong> and <em>slanted</em>, <strong>one:</strong>two <s>gone</s> H<sub>2</sub>O</p>',
  '<p><a href="/blog/a-(b)" title="x">in <strong>bold</strong></a> and <code>a `b` c</code></p>'.replace(
    ' title="x"',
    '',
  ),
  '<ul><li>One</li><li>Two<ul><li>Inner</li></ul></li></ul><ol start="3"><li>Three</li><li>Four</li></ol>',
  '<blockquote><p>First</p><p>Second</p></blockquote><hr><pre>a\n  b ```\n\nc</pre>',
  '<p>Line<br>next</p><table><tbody><tr><td>A</td><td>B | C</td></tr></tbody></table>',
  '<figure><img src="https://old.example/a.jpg" alt="A lamp"><figcaption>Caption</figcaption></figure>',
  '<p><img src="https://old.example/a%20b.jpg" alt="A [lamp]"></p>',
])('renders the same page from Markdown: %s', (html) => {
  const cleaned = sanitisePost(html, origin);
  const shown = renderMarkdown(toMarkdown(cleaned), origin).replace(
    /<\/?code>(?=\n?<\/pre>|(?<=<pre><code>))/g,
    '',
  );
  expect(flat(shown).replaceAll('<pre><code>', '<pre>')).toBe(flat(cleaned));
});

test('leaves nothing that a browser would execute', () => {
  const hostile =
    '<p>[x](javascript:alert(1)) <a href="javascript:alert(1)">y</a></p><p>{{name}}</p>';
  const shown = renderMarkdown(toMarkdown(sanitisePost(hostile, origin)), origin);
  expect(shown).not.toMatch(/href="javascript/);
});
