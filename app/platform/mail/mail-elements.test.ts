import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { MailButton, MailParagraph, MailPreview } from './mail-elements.tsx';

const previewOf = (text: string) => {
  const html = renderToStaticMarkup(MailPreview({ children: text }));
  return html.replace(/^<div[^>]*>/, '').replace(/<\/div>$/, '');
};

test('pads a short preview with invisible characters, and cuts a long one', () => {
  const [, text = '', filling = ''] = /^(.*?)<div>(.*)<\/div>$/.exec(previewOf('Ten words')) ?? [];
  expect(text).toBe('Ten words');
  expect(filling).toMatch(/^[\u00A0\u200B-\u200F\uFEFF]{987}$/);
  expect(previewOf('a'.repeat(151))).toBe('a'.repeat(150));
});

test('writes a paragraph’s side margins as separate properties', () => {
  const style = { margin: '1px 2px 3px' } as const;
  expect(renderToStaticMarkup(MailParagraph({ style, children: 'a' }))).toBe(
    '<p style="margin:1px 2px 3px;margin-top:1px;margin-right:2px;margin-bottom:3px;margin-left:2px">a</p>',
  );
});

test('pads a button in Outlook as well, and escapes its label', () => {
  const button = () => MailButton({ href: 'https://deals.test/', children: 'a < b' });
  const html = renderToStaticMarkup(createElement(button));
  expect(html.match(/<!--\[if mso\]><i [^>]*hidden>(&#8202;){3}/g)).toHaveLength(2);
  expect(html).toContain('mso-padding-alt:0px');
  expect(html).toContain('>a &lt; b</span>');
});
