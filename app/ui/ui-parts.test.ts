import { createElement } from 'react';
import { assert, integer, property } from '#test/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { render, tagsOf, textOf } from '#test/render-component.tsx';
import { Breadcrumbs } from './breadcrumbs.tsx';
import { Button, ButtonLink } from './button.tsx';
import { ChipLink, RemovableChip } from './chip.tsx';
import { CopyButton } from './copy-button.tsx';
import { ErrorScreen } from './error-screen.tsx';
import { FormNotice } from './form-notice.tsx';
import { Icon } from './icon.tsx';
import { MessagePanel } from './message-panel.tsx';
import { ModalDialog } from './modal-dialog.tsx';
import { pageWindow } from './page-window.ts';
import { Pager } from './pager.tsx';
import { PasswordField } from './password-field.tsx';
import { TitledSection } from './titled-section.tsx';
import { SelectField } from './select-field.tsx';
import { SkeletonCard } from './skeleton-card.tsx';
import { TextField } from './text-field.tsx';
import { ToastRegion } from './toast.tsx';

const attribute = (tag: string | undefined, name: string) =>
  new RegExp(`\\s${name}="([^"]*)"`, 'i').exec(tag ?? '')?.[1];

describe('a button', () => {
  test('submits a form only with a submit button', () => {
    expect(attribute(tagsOf(render(createElement(Button)), 'button')[0], 'type')).toBe('button');
    const submit = render(createElement(Button, { type: 'submit' }));
    expect(attribute(tagsOf(submit, 'button')[0], 'type')).toBe('submit');
  });

  test('keeps a busy button in the tab order and announces it as busy', () => {
    const [busy] = tagsOf(render(createElement(Button, { isBusy: true })), 'button');
    expect(busy).toContain('aria-busy="true"');
    expect(busy).not.toContain('disabled');
    expect(render(createElement(Button, { isBusy: false }))).not.toContain('aria-busy');
  });

  test('renders a button as a link if it has a URL', () => {
    const html = render(createElement(ButtonLink, { to: '/deals' }, 'Deals'));
    expect(attribute(tagsOf(html, 'a')[0], 'href')).toBe('/deals');
    expect(tagsOf(html, 'button')).toEqual([]);
  });
});

describe('an icon', () => {
  test('hides an icon from screen readers unless it has a label', () => {
    expect(render(createElement(Icon, { name: 'heart' }))).toContain('aria-hidden="true"');
    const named = render(createElement(Icon, { name: 'heart', label: 'Kept' }));
    expect(named).toContain('role="img"');
    expect(named).toContain('aria-label="Kept"');
    expect(named).not.toContain('aria-hidden');
  });
});

describe('breadcrumbs', () => {
  test('links every breadcrumb but the last, the current page', () => {
    const html = render(
      createElement(Breadcrumbs, {
        crumbs: [
          { label: 'Home', to: '/' },
          { label: 'Lighting', to: '/categories/lighting' },
          { label: 'Desk lamp', to: null },
        ],
      }),
    );
    expect(tagsOf(html, 'a').map((tag) => attribute(tag, 'href'))).toEqual([
      '/',
      '/categories/lighting',
    ]);
    expect(html).toContain('<span aria-current="page">Desk lamp</span>');
    expect(attribute(tagsOf(html, 'nav')[0], 'aria-label')).toBe('Breadcrumb');
  });
});

describe('chips', () => {
  test('marks the current choice among chips', () => {
    const chip = (isCurrent: boolean) => {
      const props = { to: '/deals', isCurrent, children: 'All' };
      return tagsOf(render(createElement(ChipLink, props)), 'a')[0];
    };
    expect(attribute(chip(true), 'aria-current')).toBe('page');
    expect(attribute(chip(false), 'aria-current')).toBeUndefined();
  });

  test('labels removable chips as removable for screen readers', () => {
    const props = { to: '/deals', children: 'From $20' };
    const html = render(createElement(RemovableChip, props));
    expect(textOf(html)).toBe('Remove filter From $20');
  });
});

describe('the pager', () => {
  const pager = (page: number, pageCount: number) =>
    render(
      createElement(Pager, {
        page,
        pageCount,
        hrefOf: (n: number) => `/deals?page=${n}`,
        label: 'Pages of deals',
      }),
    );
  const links = (html: string) =>
    tagsOf(html, 'a').map((tag) => [attribute(tag, 'aria-label'), attribute(tag, 'href')]);

  test('shows no pager for one page or no pages', () => {
    expect(pager(1, 1)).toBe('');
    expect(pager(1, 0)).toBe('');
  });

  test('shows no previous link on the first page, and no next link on the last', () => {
    expect(pager(1, 3)).not.toContain('rel="prev"');
    expect(pager(1, 3)).toContain('rel="next"');
    expect(pager(3, 3)).toContain('rel="prev"');
    expect(pager(3, 3)).not.toContain('rel="next"');
  });

  test('labels every link of a pager and marks the current page', () => {
    const html = pager(2, 3);
    expect(links(html)).toEqual([
      ['Previous page', '/deals?page=1'],
      ['Page 1', '/deals?page=1'],
      ['Page 2', '/deals?page=2'],
      ['Page 3', '/deals?page=3'],
      ['Next page', '/deals?page=3'],
    ]);
    const current = tagsOf(html, 'a').filter((tag) => tag.includes('aria-current="page"'));
    expect(current.map((tag) => attribute(tag, 'aria-label'))).toEqual(['Page 2']);
  });

  test('hides a pager’s gaps from screen readers', () => {
    const html = pager(10, 20);
    expect(html.match(/aria-hidden="true">…/g)).toHaveLength(2);
  });

  test('hides only the neighbors in a pager on a narrow screen', () => {
    const near = [...pager(10, 20).matchAll(/<li data-near="true">.*?aria-label="Page (\d+)"/g)];
    expect(near.map(([, number]) => number)).toEqual(['9', '11']);
    expect(pager(3, 5)).not.toContain('data-near');
  });

  test('shows the first, last and current page in ascending order, and never a gap for a single page', () => {
    assert(
      property(integer({ min: 1, max: 600 }), integer({ min: 1, max: 600 }), (a, b) => {
        const [page, pageCount] = [Math.min(a, b), Math.max(a, b)];
        const steps = pageWindow(page, pageCount);
        const numbers = steps.filter((step) => step !== 'gap');
        expect(numbers).toEqual([...new Set(numbers)].toSorted((x, y) => x - y));
        for (const shown of [1, page, pageCount]) expect(numbers).toContain(shown);
        for (const [index, step] of steps.entries()) {
          const [before, after] = [steps[index - 1], steps[index + 1]];
          const width = step === 'gap' ? Number(after) - Number(before) : 3;
          expect(width).toBeGreaterThan(2);
        }
        expect(steps.length).toBeLessThanOrEqual(7);
      }),
    );
  });
});

describe('a field', () => {
  const field = (props: object) =>
    render(createElement(TextField, { label: 'Email', name: 'email', ...props }));
  const noteOf = (html: string) =>
    new RegExp(
      `<p id="${attribute(tagsOf(html, 'input')[0], 'aria-describedby')}"[^>]*>([^<]*)`,
    ).exec(html)?.[1];

  test('connects a text field to its label', () => {
    const html = field({});
    const id = attribute(tagsOf(html, 'input')[0], 'id');
    expect(attribute(tagsOf(html, 'label')[0], 'for')).toBe(id);
    expect(html).not.toContain('aria-describedby');
    expect(html).not.toContain('aria-invalid');
  });

  test('describes a valid field with its hint', () => {
    const html = field({ hint: 'As on your card' });
    expect(noteOf(html)).toBe('As on your card');
    expect(html).not.toContain('aria-invalid');
  });

  test('describes a field with its error instead of the hint, and marks it as invalid', () => {
    const html = field({ hint: 'As on your card', error: 'Please enter your email address' });
    expect(noteOf(html)).toBe('Please enter your email address');
    expect(html).toContain('aria-invalid="true"');
    expect(textOf(html)).not.toContain('As on your card');
  });

  test('keeps an external description of a field without its own', () => {
    const html = field({ 'aria-describedby': 'message' });
    expect(attribute(tagsOf(html, 'input')[0], 'aria-describedby')).toBe('message');
  });

  test('hides a password, with a show button that needs JavaScript', () => {
    const html = render(createElement(PasswordField, { label: 'Password', name: 'password' }));
    const [input] = tagsOf(html, 'input');
    expect(attribute(input, 'type')).toBe('password');
    expect(input).toContain('required');
    // HTML forbids the attribute on a hidden password, which is never capitalized.
    expect(attribute(input, 'autoCapitalize')).toBeUndefined();
    const [show] = tagsOf(html, 'button');
    expect(show).toContain('data-needs-js');
    expect(attribute(show, 'aria-pressed')).toBe('false');
    expect(attribute(show, 'type')).toBe('button');
  });

  test('disables a field’s unavailable choices', () => {
    const html = render(
      createElement(SelectField, {
        label: 'Status',
        name: 'status',
        defaultValue: 'new',
        options: [
          { value: '', label: 'All' },
          { value: 'new', label: 'New (3)' },
          { value: 'used', label: 'Used (0)', isDisabled: true },
        ],
      }),
    );
    const options = tagsOf(html, 'option');
    expect(options.map((tag) => tag.includes('disabled'))).toEqual([false, false, true]);
    expect(options.map((tag) => tag.includes('selected'))).toEqual([false, true, false]);
    expect(attribute(tagsOf(html, 'label')[0], 'for')).toBe(
      attribute(tagsOf(html, 'select')[0], 'id'),
    );
  });
});

describe('the outcome of a form', () => {
  test('announces a form’s outcome: an error as an alert, a success as a status', () => {
    const notice = (text: string | undefined, kind: 'success' | 'error') =>
      render(createElement(FormNotice, { text, kind }));
    expect(notice('No.', 'error')).toContain('role="alert"');
    expect(notice('Yes.', 'success')).toContain('role="status"');
    expect(textOf(notice('Yes.', 'success'))).toBe('Yes.');
  });

  test('renders the form’s live region while it is empty, so that later text is announced', () => {
    const html = render(createElement(FormNotice, { text: undefined, kind: 'success' }));
    expect(html).toContain('role="status"');
    expect(textOf(html)).toBe('');
  });
});

describe('the error screen (P18a)', () => {
  const screen = (message: string | null, requestId: string | null, path = '/deals?page=2') =>
    render(createElement(ErrorScreen, { message, requestId }), { path });

  // Proves Storefront 2: Error screen: "Something went wrong", Reload Page, Try Again (error-screen.tsx)
  test('shows a safe sentence on the error screen, and the reference that identifies the log line', () => {
    const text = textOf(screen(null, 'abc123'));
    expect(text).toContain('Something went wrong');
    expect(text).toContain('The page could not be shown.');
    expect(text).toContain('tell us this reference: abc123');
    expect(textOf(screen(null, null))).not.toContain('reference');
  });

  test("sets the tab’s title on the error screen, since the page's own is gone", () => {
    expect(screen(null, null)).toContain('<title>Something went wrong</title>');
  });

  test('shows a message on the error screen only if one is given', () => {
    const text = textOf(screen('relation "deals" does not exist', 'abc123'));
    expect(text).toContain('relation "deals" does not exist');
    expect(text).not.toContain('The page could not be shown.');
  });

  test('offers Reload Page, which needs JavaScript, and Try Again, which does not', () => {
    const html = screen(null, null);
    expect(html).toMatch(/<span data-needs-js="true"><button[^>]*>Reload Page/);
    const [again] = tagsOf(html, 'a');
    expect(attribute(again, 'href')).toBe('/deals?page=2');
    expect(textOf(html)).toContain('Try Again');
  });

  test('links the home page on the error screen, without JavaScript', () => {
    const links = tagsOf(screen(null, null), 'a').map((tag) => attribute(tag, 'href'));
    expect(links).toEqual(['/deals?page=2', '/']);
    expect(textOf(screen(null, null))).toContain('Go to Homepage');
  });

  test('shows the mark with the site’s name on an error screen without a header', () => {
    const alone = (siteName: string | null) =>
      render(createElement(ErrorScreen, { message: null, requestId: null, siteName }));
    for (const [name, shown] of [
      ['Barn', 'Barn'],
      [null, 'Home'],
    ] as const) {
      const html = alone(name);
      expect(attribute(tagsOf(html, 'a')[0], 'href')).toBe('/');
      expect(html).toMatch(new RegExp(`<svg[^>]*aria-hidden.*</svg>${shown}</a>`));
    }
    expect(screen(null, null)).not.toContain('viewBox="4 10');
  });

  test('escapes the URL on the error screen', () => {
    const html = screen(null, null, '/deals?search="><script>alert(1)</script>');
    expect(html).not.toContain('<script>');
  });
});

describe('other parts', () => {
  test('renders a message panel with a heading of the given level', () => {
    const panel = (level?: 1 | 2 | 3) =>
      render(createElement(MessagePanel, { icon: 'tag', title: 'Nothing here', level }));
    expect(panel()).toContain('<h2>Nothing here</h2>');
    expect(panel(1)).toContain('<h1>Nothing here</h1>');
  });

  test('labels a section by its id and shows at most one link', () => {
    const link = { to: '/deals', label: 'View all deals' };
    const html = render(
      createElement(TitledSection, { id: 'featured', title: 'Featured Deals', link }),
    );
    expect(html).toContain('<h2 id="featured">Featured Deals</h2>');
    expect(tagsOf(html, 'a')).toHaveLength(1);
    expect(tagsOf(render(createElement(TitledSection, { id: 'x', title: 'X' })), 'a')).toEqual([]);
  });

  test('labels a dialog by its title, and opens it without JavaScript, where it cannot be closed', () => {
    const props = { title: 'Create Price Alert', onClose: () => {}, children: 'form' };
    const html = render(createElement(ModalDialog, props));
    const [tag] = tagsOf(html, 'dialog');
    expect(tag).toContain(' open');
    const labelledBy = attribute(tag, 'aria-labelledby');
    expect(html).toContain(`<h2 id="${labelledBy}">Create Price Alert</h2>`);
    expect(tagsOf(html, 'button')[0]).toContain('data-needs-js');
  });

  test('labels a copy button, and keeps its status empty until the text is copied', () => {
    const html = render(
      createElement(CopyButton, { text: 'LAMP10', label: 'Copy coupon code LAMP10' }),
    );
    expect(attribute(tagsOf(html, 'button')[0], 'aria-label')).toBe('Copy coupon code LAMP10');
    expect(html).toMatch(/role="status"><\/span>/);
  });

  test('hides a skeleton from screen readers', () => {
    const html = render(createElement(SkeletonCard));
    expect(html).toMatch(/^<div[^>]*aria-hidden="true"/);
    expect(textOf(html)).toBe('');
  });

  test('renders an empty toast region before any message', () => {
    const html = render(createElement(ToastRegion));
    expect(html).toMatch(/^<output[^>]*><\/output><span hidden[^>]*>.*<\/span>$/);
    expect(textOf(html)).toBe('');
    expect(tagsOf(html, 'button').map((tag) => attribute(tag, 'aria-label'))).toEqual(['Dismiss']);
  });
});
