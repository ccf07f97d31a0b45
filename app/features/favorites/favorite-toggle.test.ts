import { createElement } from 'react';
import { describe, expect, test } from 'vitest';
import { render, tagsOf, textOf } from '#test/render-component.tsx';
import { FavoriteToggle } from './favorite-toggle.tsx';

const deal = { id: 7, title: 'Desk lamp' };
const heart = (options: { kept?: boolean; hasLabel?: boolean; path?: string } = {}) =>
  render(createElement(FavoriteToggle, { deal, hasLabel: options.hasLabel ?? false }), {
    favoriteIds: options.kept ? [7] : [8],
    path: options.path ?? '/deals?sort=discount',
  });
const attribute = (tag: string | undefined, name: string) =>
  new RegExp(`\\s${name}="([^"]*)"`, 'i').exec(tag ?? '')?.[1];
const valueOf = (html: string, name: string) =>
  attribute(
    tagsOf(html, 'input').find((tag) => attribute(tag, 'name') === name),
    'value',
  );

describe('a deal’s heart', () => {
  test('R54: sends the requested state of a heart, so that two clicks result in the state shown', () => {
    expect(valueOf(heart(), 'want')).toBe('set');
    expect(valueOf(heart({ kept: true }), 'want')).toBe('unset');
    expect(valueOf(heart(), 'deal_id')).toBe('7');
  });

  test('renders a heart as a plain form that returns to its page', () => {
    const html = heart({ path: '/deals?sort=discount&page=2' });
    const [form] = tagsOf(html, 'form');
    expect(attribute(form, 'method')).toBe('post');
    expect(attribute(form, 'action')).toBe('/favorites');
    expect(valueOf(html, 'return_to')).toBe('/deals?sort=discount&amp;page=2');
  });

  test('names the deal and its favorite state to screen readers', () => {
    const [button] = tagsOf(heart(), 'button');
    expect(attribute(button, 'aria-label')).toBe('Favorite: Desk lamp');
    expect(attribute(button, 'aria-pressed')).toBe('false');
    expect(attribute(tagsOf(heart({ kept: true }), 'button')[0], 'aria-pressed')).toBe('true');
    expect(button).not.toContain('disabled');
  });

  test('labels the heart Favorite and Favorited on the deal’s page', () => {
    expect(textOf(heart({ hasLabel: true }))).toBe('Favorite');
    expect(textOf(heart({ hasLabel: true, kept: true }))).toBe('Favorited');
    expect(heart({ hasLabel: true })).not.toContain('aria-label="Favorite');
  });
});
