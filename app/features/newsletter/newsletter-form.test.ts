import { createElement } from 'react';
import { describe, expect, test } from 'vitest';
import { render, tagsOf, textOf } from '#test/render-component.tsx';
import { NewsletterForm } from './newsletter-form.tsx';
import { newsletterMessages } from './newsletter-messages.ts';
import type { SubscribeAnswer } from './subscribe-answer.ts';

const form = (answer?: SubscribeAnswer | null) => render(createElement(NewsletterForm, { answer }));
const attribute = (tag: string | undefined, name: string) =>
  new RegExp(`\\s${name}="([^"]*)"`, 'i').exec(tag ?? '')?.[1];
const field = (html: string, name: string) =>
  tagsOf(html, 'input').find((tag) => attribute(tag, 'name') === name);
const question = { token: 'signed', text: 'What is seven plus four?' };

describe('the server-rendered newsletter form', () => {
  test('posts the newsletter form to the newsletter page without JavaScript', () => {
    const html = form();
    const [tag] = tagsOf(html, 'form');
    expect(attribute(tag, 'action')).toBe('/newsletter');
    expect(attribute(tag, 'method')).toBe('post');
    expect(field(html, 'email')).toMatch(/type="email"/);
    expect(field(html, 'email')).toContain('required');
    expect(attribute(field(html, 'email'), 'maxlength')).toBe('254');
  });

  test('keeps the newsletter form usable without JavaScript, and announces the captcha question', () => {
    const html = form();
    const button = tagsOf(html, 'button').find((tag) => tag.includes('type="submit"'));
    expect(button).not.toContain('disabled');
    expect(textOf(html)).toContain('you answer one short question');
  });

  test('ties an empty message region to the newsletter field', () => {
    const html = form();
    const id = attribute(field(html, 'email'), 'aria-describedby');
    expect(html).toMatch(new RegExp(`<p id="${id}"[^>]*role="status"[^>]*></p>`));
  });

  test('asks the captcha question when the token is missing, and keeps the address', () => {
    const message = 'Please complete the security verification.';
    const html = form({ ok: false, message, email: 'ada@mail.example', question });
    expect(attribute(field(html, 'email'), 'value')).toBe('ada@mail.example');
    expect(textOf(html)).toContain('What is seven plus four?');
    expect(textOf(html)).toContain(message);
    expect(attribute(field(html, 'captcha_question'), 'value')).toBe('signed');
    const id = attribute(field(html, 'captcha_answer'), 'id');
    expect(html).toContain(`<label for="${id}">What is seven plus four?`);
    expect(textOf(html)).not.toContain('you answer one short question');
  });

  test.each([
    ['invalidEmail', false],
    ['alreadySubscribed', false],
    ['tooOften', false],
    ['failed', false],
    ['subscribed', true],
    ['reactivated', true],
  ] as const)('shows "%s" as a success or an error', (name, ok) => {
    const email = 'ada@mail.example';
    const html = form({ ok, message: newsletterMessages[name], email, question: null });
    const status = tagsOf(html, 'p').find((tag) => tag.includes('data-ok'));
    expect(attribute(status, 'data-ok')).toBe(String(ok));
    expect(textOf(html)).toContain(newsletterMessages[name]);
    expect(attribute(field(html, 'email'), 'value')).toBe(ok ? '' : email);
  });

  test('shows the typed address as text', () => {
    const email = '"><script>alert(1)</script>';
    expect(form({ ok: false, message: 'No.', email, question: null })).not.toContain('<script>');
  });
});
