import type { MetaDescriptor } from 'react-router';
import { assert, property, string } from '#test/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { testSiteFacts as site } from '#test/render-component.tsx';
import { absolute, pageMeta } from './page-meta.ts';

const page = { site, path: '/deals/lamp', title: 'Desk lamp', description: 'A lamp.' };

/** Returns the tags by name, property and relation. */
function read(tags: MetaDescriptor[]) {
  const of = (key: string, name: string) =>
    (tags as Record<string, string>[]).filter((tag) => tag[key] === name);
  return {
    title: (tags as { title?: string }[]).find((tag) => tag.title && !('rel' in tag))?.title,
    named: (name: string) => of('name', name)[0]?.content,
    property: (name: string) => of('property', name)[0]?.content,
    links: (rel: string) => of('rel', rel).map((tag) => tag.href),
  };
}

describe('a page’s metadata', () => {
  test('includes the site’s name in a page’s title, except when shared', () => {
    const meta = read(pageMeta(page));
    expect(meta.title).toBe('Desk lamp | Deal Hub');
    expect(meta.property('og:title')).toBe('Desk lamp');
    expect(meta.property('og:site_name')).toBe('Deal Hub');
  });

  test('uses the site’s name and tagline as the home page’s title', () => {
    const meta = read(pageMeta({ ...page, path: '/', title: null }));
    expect(meta.title).toBe('Deal Hub – Deals that show their price history.');
    expect(meta.property('og:title')).toBe(meta.title);
  });

  test('sets an absolute canonical URL, the same for all visitors', () => {
    const meta = read(pageMeta(page));
    expect(meta.links('canonical')).toEqual([`${site.origin}/deals/lamp`]);
    expect(meta.property('og:url')).toBe(`${site.origin}/deals/lamp`);
  });

  test('sets no canonical URL on a page that is not indexed but followed', () => {
    const meta = read(pageMeta({ ...page, isIndexed: false }));
    expect(meta.named('robots')).toBe('noindex, follow');
    expect(meta.links('canonical')).toEqual([]);
    expect(read(pageMeta(page)).named('robots')).toBeUndefined();
  });

  test('sets an absolute picture: the page’s own, the merchant’s, or the site’s', () => {
    const image = (value: string | null) =>
      read(pageMeta({ ...page, image: value })).property('og:image');
    expect(image('/media/lamp-640.webp')).toBe(`${site.origin}/media/lamp-640.webp`);
    expect(image('https://shop.example/lamp.jpg')).toBe('https://shop.example/lamp.jpg');
    expect(image(null)).toBe(`${site.origin}/art/share.png`);
  });

  test('links a page’s neighbors and its feed if there are any', () => {
    const meta = read(
      pageMeta({
        ...page,
        previousPath: '/deals',
        nextPath: '/deals?page=3',
        feedPath: '/feeds/deals.xml?category=tools',
      }),
    );
    expect(meta.links('prev')).toEqual([`${site.origin}/deals`]);
    expect(meta.links('next')).toEqual([`${site.origin}/deals?page=3`]);
    expect(meta.links('alternate')).toEqual([
      `${site.origin}/feeds/deals.xml?category=tools`,
      `${site.origin}/feeds/deals.json?category=tools`,
    ]);
    const ending = read(pageMeta({ ...page, feedPath: '/feeds/ending-soon.xml?merchant=shop' }));
    expect(ending.links('alternate')[2]).toBe(`${site.origin}/feeds/ending-soon.ics?merchant=shop`);
    const plain = read(pageMeta(page));
    expect([...plain.links('prev'), ...plain.links('next'), ...plain.links('alternate')]).toEqual(
      [],
    );
  });

  test('adds a script for each structured-data document', () => {
    const tags = pageMeta({ ...page, jsonLd: [{ a: 1 }, { b: 2 }] });
    expect(tags.filter((tag) => 'script:ld+json' in tag)).toEqual([
      { 'script:ld+json': { a: 1 } },
      { 'script:ld+json': { b: 2 } },
    ]);
  });

  test('sets a title without the site’s data, as on the error page', () => {
    expect(read(pageMeta({ ...page, site: undefined })).title).toBe('Desk lamp | Deal Hub');
  });
});

describe('a page’s description', () => {
  const described = (description: string) =>
    read(pageMeta({ ...page, description })).named('description') ?? '';

  test('writes a description as one line', () => {
    expect(described('  A lamp.\n\n  Bright\tand quiet. ')).toBe('A lamp. Bright and quiet.');
  });

  test('cuts a description at a word', () => {
    const cut = described('lorem '.repeat(60));
    expect(cut).toBe(`${'lorem '.repeat(26).trim()}…`);
  });

  test('cuts a description without spaces', () => {
    expect(described('x'.repeat(500))).toBe(`${'x'.repeat(80)}…`);
  });

  test('does not cut a description of exactly 160 characters', () => {
    expect(described('x'.repeat(160))).toBe('x'.repeat(160));
  });

  test('limits a description to 160 characters, and never ends it in half a character', () => {
    expect(described('💡'.repeat(200)).isWellFormed()).toBe(true);
    expect(described(`x${'💡'.repeat(200)}`).isWellFormed()).toBe(true);
    assert(
      property(string({ unit: 'binary', maxLength: 400 }), (text) => {
        expect(described(text).length).toBeLessThanOrEqual(160);
        expect(described(text).isWellFormed()).toBe(true);
      }),
    );
  });
});

test('makes paths absolute, and leaves URLs unchanged', () => {
  expect(absolute('/a', 'https://deals.test')).toBe('https://deals.test/a');
  expect(absolute('https://b.example/a', 'https://deals.test')).toBe('https://b.example/a');
});
