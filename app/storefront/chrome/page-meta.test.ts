import type { MetaDescriptor } from 'react-router';
import { assert, property, string } from '#test/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { testSiteFacts as site } from '#test/render-component.tsx';
import { absolute, pageMeta } from './page-meta.ts';

const page = { site, path: '/deals/lamp', title: 'Desk lamp', description: 'A lamp.' };

/** What the tags say: by name, by property, by relation. */
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

describe('what a page says of itself', () => {
  test('its title carries the site’s name, a shared one does not', () => {
    const meta = read(pageMeta(page));
    expect(meta.title).toBe('Desk lamp | Deal Hub');
    expect(meta.property('og:title')).toBe('Desk lamp');
    expect(meta.property('og:site_name')).toBe('Deal Hub');
  });

  test('the home page is the site’s name and what it is about', () => {
    const meta = read(pageMeta({ ...page, path: '/', title: null }));
    expect(meta.title).toBe('Deal Hub – Deals that show their price history.');
    expect(meta.property('og:title')).toBe(meta.title);
  });

  test('its address is whole and the same for all who ask', () => {
    const meta = read(pageMeta(page));
    expect(meta.links('canonical')).toEqual([`${site.origin}/deals/lamp`]);
    expect(meta.property('og:url')).toBe(`${site.origin}/deals/lamp`);
  });

  test('one that is not indexed has no canonical address but is followed', () => {
    const meta = read(pageMeta({ ...page, isIndexed: false }));
    expect(meta.named('robots')).toBe('noindex, follow');
    expect(meta.links('canonical')).toEqual([]);
    expect(read(pageMeta(page)).named('robots')).toBeUndefined();
  });

  test('its picture is whole: its own, the merchant’s, or that of the site', () => {
    const image = (value: string | null) =>
      read(pageMeta({ ...page, image: value })).property('og:image');
    expect(image('/media/lamp-640.webp')).toBe(`${site.origin}/media/lamp-640.webp`);
    expect(image('https://shop.example/lamp.jpg')).toBe('https://shop.example/lamp.jpg');
    expect(image(null)).toBe(`${site.origin}/art/share.png`);
  });

  test('its neighbours and its feed are linked where there are any', () => {
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
    const plain = read(pageMeta(page));
    expect([...plain.links('prev'), ...plain.links('next'), ...plain.links('alternate')]).toEqual(
      [],
    );
  });

  test('each document for machines is a script of its own', () => {
    const tags = pageMeta({ ...page, jsonLd: [{ a: 1 }, { b: 2 }] });
    expect(tags.filter((tag) => 'script:ld+json' in tag)).toEqual([
      { 'script:ld+json': { a: 1 } },
      { 'script:ld+json': { b: 2 } },
    ]);
  });

  test('without the site’s data, as on the error page, it still has a title', () => {
    expect(read(pageMeta({ ...page, site: undefined })).title).toBe('Desk lamp | Deal Hub');
  });
});

describe('its description', () => {
  const described = (description: string) =>
    read(pageMeta({ ...page, description })).named('description') ?? '';

  test('is one line', () => {
    expect(described('  A lamp.\n\n  Bright\tand quiet. ')).toBe('A lamp. Bright and quiet.');
  });

  test('ends at a word where it is cut', () => {
    const cut = described('lorem '.repeat(60));
    expect(cut).toBe(`${'lorem '.repeat(26).trim()}…`);
  });

  test('of a text without spaces is cut all the same', () => {
    expect(described('x'.repeat(500))).toBe(`${'x'.repeat(80)}…`);
  });

  test('of exactly 160 letters is whole', () => {
    expect(described('x'.repeat(160))).toBe('x'.repeat(160));
  });

  test('is never longer than 160 and never ends in half a letter, whatever the text', () => {
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

test('an address is made whole only where it is a path', () => {
  expect(absolute('/a', 'https://deals.test')).toBe('https://deals.test/a');
  expect(absolute('https://b.example/a', 'https://deals.test')).toBe('https://b.example/a');
});
