// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from 'vitest';
import { morph } from './morph.ts';

let region: HTMLElement;

const parse = (html: string) => {
  const element = document.createElement('div');
  element.innerHTML = html;
  return element;
};
const change = (html: string, asked: [Element, string][] = []) =>
  morph(region, parse(html), new Map(asked));
const field = () => {
  const found = region.querySelector('input');
  if (!found) throw new Error('There is no field.');
  return found;
};

beforeEach(() => {
  region = parse('');
  document.body.replaceChildren(region);
});

describe('morph', () => {
  it('keeps the elements that both versions have, and their focus, when morphing', () => {
    region.innerHTML =
      '<ul><li data-key="1">one</li><li data-key="2"><button>two</button></li></ul>';
    const [first, second] = region.querySelectorAll('li');
    const button = region.querySelector('button');
    button?.focus();
    change('<ul><li data-key="2"><button>zwei</button></li></ul>');
    expect(region.innerHTML).toBe('<ul><li data-key="2"><button>zwei</button></li></ul>');
    expect(region.querySelector('li')).toBe(second);
    expect(document.activeElement).toBe(button);
    expect(first?.isConnected).toBe(false);
  });

  it('inserts a new row before the rows that are kept', () => {
    region.innerHTML = '<p data-key="1">one</p><p data-key="2">two</p>';
    const stays = [...region.children];
    change('<p data-key="0">zero</p><p data-key="1">one</p><p data-key="2">two</p>');
    expect([...region.children].map((one) => one.textContent)).toEqual(['zero', 'one', 'two']);
    expect([...region.children].slice(1)).toEqual(stays);
  });

  it('sets and removes attributes, but not those that visitors and scripts change', () => {
    region.innerHTML = '<details open class="a" title="old"><summary>More</summary></details>';
    change('<details class="b" lang="en"><summary>More</summary></details>');
    const details = region.querySelector('details');
    expect(details?.getAttributeNames().toSorted()).toEqual(['class', 'lang', 'open']);
    expect(details?.className).toBe('b');
  });

  it('sets the new value of a field', () => {
    region.innerHTML = '<input name="q" value="lamp">';
    change('<input name="q" value="desk">', [[field(), 'lamp']]);
    expect(field().value).toBe('desk');
  });

  it('keeps text that was typed after the request', () => {
    region.innerHTML = '<input name="q" value="lamp">';
    const asked: [Element, string][] = [[field(), 'lamp']];
    field().value = 'lampshade';
    change('<input name="q" value="lamp">', asked);
    expect(field().value).toBe('lampshade');
  });

  it.each([
    { state: 'of which nothing has loaded', started: '', keeps: false },
    { state: 'whose script is loading', started: 'data-started', keeps: true },
    { state: 'that is hydrated', started: 'data-started data-awake', keeps: true },
  ])('replaces an island with new props only before its hydration: $state', (example) => {
    const islandOf = (label: string, started = '') =>
      `<deal-island data-name="note" data-props="${label}" ${started}><input></deal-island>`;
    region.innerHTML = islandOf('old', example.started);
    const island = region.firstElementChild;
    field().value = 'typed';
    change(islandOf('new'));
    expect(region.firstElementChild === island).toBe(example.keeps);
    expect(field().value).toBe(example.keeps ? 'typed' : '');
  });

  it('replaces a picture element instead of changing its URL', () => {
    region.innerHTML = '<img src="/media/a.webp" alt="">';
    const before = region.querySelector('img');
    change('<img src="/media/b.webp" alt="">');
    expect(region.querySelector('img')?.getAttribute('src')).toBe('/media/b.webp');
    expect(region.querySelector('img')).not.toBe(before);
  });

  it('morphs any list into exactly the markup of any other list', () => {
    const lists = ['', '1', '12', '21', '123', '321', '1323', '4561'];
    const html = (list: string) =>
      Array.from(list, (key) => `<p data-key="${key}">${key}<b>${list}</b></p>`).join('text');
    for (const from of lists) {
      for (const to of lists) {
        region.innerHTML = html(from);
        change(html(to));
        expect([from, to, region.innerHTML]).toEqual([from, to, html(to)]);
      }
    }
  });
});
