import { createElement } from 'react';
import { assert, property, string } from '#test/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { render, tagsOf, textOf } from '#test/render-component.tsx';
import { AccessRefusalScreen } from './access-refusal-screen.tsx';
import {
  changePasswordInput,
  emailInput,
  nameInput,
  readForm,
  signInInput,
  signUpInput,
} from './account-input.ts';
import { describeWeakPassword } from './account-messages.ts';
import { useAccountPost } from './account-form.tsx';
import { SignInForm, SignUpForm } from './passwords/credential-forms.tsx';
import { describeBrowser } from './sessions/describe-browser.ts';
import type { FormAnswer } from './form-answer.ts';
import { keepRetryAfter } from './keep-retry-after.ts';
import {
  endSessionCookie,
  readCookie,
  sessionCookieName,
  writeCookie,
} from './sessions/session-cookie.server.ts';

const formOf = (fields: Record<string, string>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
};

describe('R10: the session cookie', () => {
  // Proves Storefront 7: PKCE, local storage, realtime of 10 a second (session-cookie.server.ts)
  test('binds the session cookie to the host on https, and hides it from scripts and other sites', () => {
    const line = writeCookie('session', 'abc', { origin: 'https://deals.test', seconds: 60 });
    expect(line).toBe('__Host-session=abc; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure');
    expect(line).not.toMatch(/domain/i); // A cookie with this prefix must not name a domain.
    expect(sessionCookieName('https://deals.test')).toBe('__Host-session');
  });

  test('omits Secure from the session cookie without https, where browsers would drop it', () => {
    const line = writeCookie('session', 'abc', { origin: 'http://192.0.2.1:3000', seconds: 60 });
    expect(line).toBe('session=abc; Path=/; Max-Age=60; HttpOnly; SameSite=Lax');
  });

  test('deletes the session cookie by the same name and a max age of zero', () => {
    expect(endSessionCookie('https://deals.test')).toMatch(/^__Host-session=; Path=\/; Max-Age=0;/);
    expect(endSessionCookie('http://deals.test')).toMatch(/^session=; Path=\/; Max-Age=0;/);
  });

  const read = (cookie: string | null, name = 'session') =>
    readCookie(
      new Request('https://deals.test', { headers: cookie === null ? {} : { cookie } }),
      name,
    );

  test.each([
    ['session=abc', 'abc'],
    ['a=1; session=abc; b=2', 'abc'],
    ['a=1;session=abc', 'abc'],
    [' session = abc ', 'abc'],
    ['session=abc; session=other', 'abc'],
    ['session=a=b==', 'a=b=='],
    ['session=', null],
    ['session', null],
    ['xsession=abc', null],
    ['__Host-session=abc', null],
    ['Session=abc', null],
    ['', null],
    [null, null],
  ])('finds the session in the cookie header %j: %j', (header, value) => {
    expect(read(header)).toBe(value);
  });

  test('reads any token back from the session cookie as written', () => {
    assert(
      property(string({ unit: 'grapheme-ascii', minLength: 1 }), (text) => {
        const token = Buffer.from(text).toString('base64url');
        const line = writeCookie('session', token, { origin: 'https://deals.test', seconds: 9 });
        expect(read(line.split(';')[0] ?? '', '__Host-session')).toBe(token);
      }),
    );
  });
});

describe('account forms', () => {
  test('trims an email address and stores it in lower case', () => {
    const read = readForm(signInInput, formOf({ email: ' Ada@Mail.Example ', password: ' pass ' }));
    expect(read).toEqual({ ok: true, value: { email: 'ada@mail.example', password: ' pass ' } });
  });

  test.each([
    ['', 'Please enter your email address'],
    ['  ', 'Please enter your email address'],
    ['ada', 'Please enter a valid email address'],
    ['ada@', 'Please enter a valid email address'],
    ['ada@mail', 'Please enter a valid email address'],
    ['a b@mail.example', 'Please enter a valid email address'],
    [`${'a'.repeat(250)}@mail.example`, 'Please enter a valid email address'],
  ])('rejects the address %j with %j', (email, message) => {
    expect(readForm(emailInput, formOf({ email }))).toEqual({
      ok: false,
      errors: { email: message },
    });
  });

  test.each([
    ['', 'Please enter your full name'],
    ['   ', 'Please enter your full name'],
    ['x'.repeat(101), 'The name may have at most 100 characters'],
    ['Ada<script>', 'The name may not contain special characters'],
    ['Ada\u0007', 'The name may not contain special characters'],
    ['Ada\u200B', 'The name may not contain special characters'],
    ['\u3164', 'The name may not contain special characters'],
    ['Ada \u202Etrops', 'The name may not contain special characters'],
    ['\u200D', 'The name may not contain special characters'],
  ])('rejects the name %j with %j', (full_name, message) => {
    expect(readForm(nameInput, formOf({ full_name }))).toEqual({
      ok: false,
      errors: { full_name: message },
    });
  });

  test('accepts a name of one hundred letters in any script, and normalizes it', () => {
    for (const full_name of ['Z'.repeat(100), 'می\u200Cخواهم', '👩\u200D💻 Ada', 'O’Neil-Smith']) {
      expect(readForm(nameInput, formOf({ full_name })).ok).toBe(true);
    }
    expect(readForm(nameInput, formOf({ full_name: ' Żaneta 李 ' }))).toEqual({
      ok: true,
      value: { full_name: 'Żaneta 李' },
    });
    expect(readForm(nameInput, formOf({ full_name: 'Ame\u0301lie' }))).toEqual({
      ok: true,
      value: { full_name: 'Am\u00e9lie' },
    });
  });

  // Proves Storefront 5: Sign-up: email, password, full name (account-input.ts)
  test('returns the first error of each field of an account form', () => {
    expect(readForm(signUpInput, formOf({}))).toEqual({
      ok: false,
      errors: {
        full_name: 'Please enter your full name',
        email: 'Please enter your email address',
        password: 'Please enter your password',
      },
    });
  });

  // Proves R04: fields by an allow-list (account-input.ts)
  test('R04: ignores unknown fields of an account form', () => {
    const form = formOf({ email: 'a@mail.example', password: 'x', role: 'super_admin', id: '1' });
    const read = readForm(signInInput, form);
    expect(read).toEqual({ ok: true, value: { email: 'a@mail.example', password: 'x' } });
  });

  test('treats a file in a text field as empty', () => {
    const form = formOf({ current_password: 'x' });
    form.set('password', new File(['x'], 'x.txt'));
    expect(readForm(changePasswordInput, form)).toEqual({
      ok: false,
      errors: { password: 'Please enter your password' },
    });
  });
});

describe('the message for a weak password (P9a)', () => {
  // Proves Storefront 8: weak_password with its reasons (account-messages.ts)
  test('lists every reason a password is weak, and the site’s minimum length', () => {
    expect(describeWeakPassword(['length', 'common'], 10)).toBe(
      'This password is too weak. Use at least 10 characters. It is one of the first passwords that attackers try.',
    );
    const reasons = ['length', 'too-long', 'common', 'repeated', 'sequence', 'personal'] as const;
    const sentences = reasons.map((reason) => describeWeakPassword([reason], 6));
    expect(new Set(sentences).size).toBe(reasons.length);
    expect(sentences.join(' ')).not.toContain('undefined');
  });
});

describe('a session in the list', () => {
  const linux = 'Mozilla/5.0 (X11; Linux x86_64)';
  test.each([
    [`${linux} Gecko/20100101 Firefox/140.0`, 'Firefox on Linux'],
    [`${linux} AppleWebKit/537.36 Chrome/140.0 Safari/537.36`, 'Chrome on Linux'],
    ['Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0', 'Edge on Windows'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18 Safari/605.1', 'Safari on macOS'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18 Safari/604.1',
      'Safari on iOS',
    ],
    ['Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile Safari/537.36', 'Chrome on Android'],
    ['Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 OPR/120.0', 'Opera on Windows'],
    ['Firefox/140.0', 'Firefox'],
    ['curl/8.5', 'Unknown browser'],
    ['', 'Unknown browser'],
  ])('describes the user agent %s as %s', (agent, words) => {
    expect(describeBrowser(agent)).toBe(words);
  });
});

test('passes on only Retry-After from the headers of an action', () => {
  const headers = (values: Record<string, string>) =>
    keepRetryAfter({ actionHeaders: new Headers(values) });
  expect(headers({ 'retry-after': '60', 'x-other': '1' })).toEqual({ 'retry-after': '60' });
  expect(headers({})).toEqual({});
});

describe('the guard of the admin', () => {
  const screen = (refused: 'nobody' | 'role') =>
    render(createElement(AccessRefusalScreen, { refused }), { path: '/admin/deals?page=2' });

  test('asks signed-out visitors of the admin to sign in, and redirects back', () => {
    const html = screen('nobody');
    expect(textOf(html)).toContain('Authentication Required');
    expect(textOf(html)).toContain('Please sign in to access the admin panel.');
    expect(html).toContain('href="/sign-in?returnTo=%2Fadmin%2Fdeals%3Fpage%3D2"');
  });

  test('explains missing admin rights, with a link back to the site', () => {
    const html = screen('role');
    expect(textOf(html)).toContain('Access Restricted');
    expect(textOf(html)).toContain('You do not have administrative privileges.');
    expect(tagsOf(html, 'a')).toEqual([expect.stringContaining('href="/"')]);
  });

  test('keeps the admin out of search engines', () => {
    for (const refused of ['nobody', 'role'] as const) {
      expect(screen(refused)).toContain('<meta name="robots" content="noindex"/>');
    }
  });
});

describe('the sign-in and sign-up fields', () => {
  type Props = Parameters<typeof SignInForm>[0];
  const show = (Form: typeof SignInForm, props: Partial<Props>, around = {}) => {
    const Inside = () => {
      const post = useAccountPost();
      return createElement(Form, { post, ...props });
    };
    return render(createElement(Inside), around);
  };
  const input = (html: string, name: string) =>
    tagsOf(html, 'input').find((tag) => tag.includes(`name="${name}"`)) ?? '';

  test('annotates sign-in and sign-up fields for password managers', () => {
    const signIn = show(SignInForm, {});
    expect(input(signIn, 'email')).toMatch(/autocomplete="username"/i);
    expect(input(signIn, 'password')).toMatch(/autocomplete="current-password"/i);
    const signUp = show(SignUpForm, {});
    expect(input(signUp, 'full_name')).toMatch(/autocomplete="name"/i);
    expect(input(signUp, 'password')).toMatch(/autocomplete="new-password"/i);
  });

  test('shows the site’s minimum password length', () => {
    const html = show(SignUpForm, {}, { passwordMinLength: 12 });
    expect(input(html, 'password')).toMatch(/minlength="12"/i);
    expect(textOf(html)).toContain('At least 12 characters.');
  });

  test('keeps the input but never a password, and shows errors at their fields', () => {
    const firstAnswer: FormAnswer = {
      ok: false,
      message: 'Invalid email or password',
      errors: { email: 'Please enter a valid email address' },
      values: { email: 'ada@', password: 'secret' },
    };
    const html = show(SignInForm, { firstAnswer });
    expect(input(html, 'email')).toContain('value="ada@"');
    expect(input(html, 'email')).toContain('aria-invalid="true"');
    expect(html).not.toContain('secret');
    expect(html).toMatch(/role="alert"><p[^>]*>Invalid email or password/);
  });

  test('redirects to the previous page after signing in', () => {
    const html = show(SignInForm, { returnTo: '/deals?x=1&y=2' });
    expect(tagsOf(html, 'form')[0]).toContain('/sign-in?returnTo=%2Fdeals%3Fx%3D1%26y%3D2');
    expect(tagsOf(show(SignInForm, {}), 'form')[0]).toMatch(/action="\/sign-in"/);
  });

  // Proves Storefront 2: Sign-in modal: submit disabled until the check is passed (use-captcha.ts)
  test('shows a captcha question without JavaScript, with an enabled button', () => {
    const question = { token: 'signed', text: 'What is two plus three?' };
    const html = show(SignInForm, { firstAnswer: { ok: false, question } });
    expect(html).toContain('What is two plus three?');
    expect(html).toContain('name="captcha_question" value="signed"');
    const submit = tagsOf(html, 'button').find((tag) => tag.includes('type="submit"'));
    expect(submit).not.toContain('disabled');
  });
});
