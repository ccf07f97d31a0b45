import { createElement } from 'react';
import * as fc from '#test/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { moneyHint, moneyPattern, parseMoney } from '#app/platform/money.ts';
import { render, tagsOf, textOf } from '#test/render-component.tsx';
import { Button, ButtonLink, buttonClass } from './button.tsx';
import { CheckField } from './check-field.tsx';
import { ChoiceField } from './choice-field.tsx';
import { type FilterFields, FilterForm } from './filter-form.tsx';
import { FurtherIcon } from './further-icon.tsx';
import { ModalDialog } from './modal-dialog.tsx';
import { PageHeading } from './page-heading.tsx';
import { PriceRangeField } from './price-range-field.tsx';
import { ShareButton } from './share-button.tsx';
import { TextAreaField } from './text-area-field.tsx';

const attribute = (tag: string | undefined, name: string) =>
  new RegExp(`\\s${name}="([^"]*)"`, 'i').exec(tag ?? '')?.[1];

const namesAndValues = (html: string) =>
  tagsOf(html, 'input').map((tag) => [attribute(tag, 'name'), attribute(tag, 'value')]);

const options = [
  { value: '', label: 'Choose one' },
  { value: 'tools', label: 'Tools' },
  { value: 'gone', label: 'Gone', isDisabled: true },
];

// Tests that all controls of a form behave the same.
describe.each<[string, 'textarea' | 'select' | 'input', (props: object) => string]>([
  [
    'a multi-line field',
    'textarea',
    (props) => render(createElement(TextAreaField, { label: 'Your words', ...props })),
  ],
  [
    'a select',
    'select',
    (props) => render(createElement(ChoiceField, { label: 'Your words', options, ...props })),
  ],
  [
    'a checkbox',
    'input',
    (props) => render(createElement(CheckField, { label: 'Your words', ...props })),
  ],
])('%s', (_name, tag, field) => {
  const control = (html: string) => tagsOf(html, tag)[0];
  const describedBy = (html: string) => {
    const id = attribute(control(html), 'aria-describedby');
    return id && new RegExp(`<p id="${id}"[^>]*>([^<]*)<`).exec(html)?.[1];
  };

  test('connects a field to its label', () => {
    const html = field({ name: 'words' });
    const id = attribute(control(html), 'id');
    expect(id).toBeTruthy();
    expect(attribute(tagsOf(html, 'label')[0], 'for')).toBe(id);
    expect(textOf(html)).toContain('Your words');
    expect(attribute(control(html), 'name')).toBe('words');
  });

  test('describes a field only if it has a hint', () => {
    expect(attribute(control(field({})), 'aria-describedby')).toBeUndefined();
    expect(describedBy(field({ hint: 'A few lines' }))).toBe('A few lines');
    expect(control(field({ hint: 'A few lines' }))).not.toContain('aria-invalid');
  });

  test('passes a field’s attributes on to its control', () => {
    const html = field({ required: true, disabled: true, name: 'words' });
    expect(control(html)).toMatch(/\srequired=""/);
    expect(control(html)).toMatch(/\sdisabled=""/);
  });

  test('uses unique ids for two fields on a page', () => {
    const two = render(
      [field, field].map((one, n) =>
        createElement('div', { key: n, dangerouslySetInnerHTML: { __html: one({}) } }),
      ),
    );
    expect(tagsOf(two, tag)).toHaveLength(2);
  });
});

describe('an error of a field', () => {
  test.each<[string, 'textarea' | 'select', string]>([
    [
      'a multi-line field',
      'textarea',
      render(
        createElement(TextAreaField, {
          label: 'Message',
          hint: 'In short',
          error: 'Please write something',
        }),
      ),
    ],
    [
      'a select',
      'select',
      render(
        createElement(ChoiceField, {
          label: 'Category',
          options,
          hint: 'In short',
          error: 'Please write something',
        }),
      ),
    ],
  ])('replaces the hint of %s with its error, and marks it as one', (_kind, tag, html) => {
    const [control] = tagsOf(html, tag);
    expect(attribute(control, 'aria-invalid')).toBe('true');
    const id = attribute(control, 'aria-describedby');
    expect(html).toMatch(new RegExp(`<p id="${id}"[^>]*>Please write something</p>`));
    expect(textOf(html)).not.toContain('In short');
  });
});

describe('a select of a form', () => {
  const html = render(
    createElement(ChoiceField, { label: 'Category', options, defaultValue: 'tools' }),
  );

  test('offers all options of a select in their order, with unavailable ones disabled', () => {
    const shown = tagsOf(html, 'option');
    expect(shown.map((tag) => attribute(tag, 'value'))).toEqual(['', 'tools', 'gone']);
    expect(shown.map((tag) => tag.includes('disabled'))).toEqual([false, false, true]);
    expect(textOf(html)).toBe('Category Choose one Tools Gone');
  });

  test('selects the current value in a select', () => {
    expect(tagsOf(html, 'option').map((tag) => tag.includes('selected'))).toEqual([
      false,
      true,
      false,
    ]);
  });
});

test('shows any text in a multi-line field, escaped', () => {
  const written = '<script>alert(1)</script>\n  two "lines" & more';
  const html = render(createElement(TextAreaField, { label: 'Message', defaultValue: written }));
  expect(html).not.toContain('<script>');
  const inside = /<textarea[^>]*>([\s\S]*)<\/textarea>/.exec(html)?.[1] ?? '';
  expect(
    inside
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&')
      .replace(/^\n/, ''),
  ).toBe(written);
});

test('checks a checkbox if its value is set, and sends nothing otherwise', () => {
  const [ticked] = tagsOf(
    render(createElement(CheckField, { label: 'Yes', defaultChecked: true })),
    'input',
  );
  const [plain] = tagsOf(render(createElement(CheckField, { label: 'Yes' })), 'input');
  expect(attribute(ticked, 'type')).toBe('checkbox');
  expect(ticked).toContain('checked');
  expect(plain).not.toContain('checked');
});

describe('a filter bar', () => {
  const fieldsOfBar = {
    children: (fields: FilterFields) => [
      createElement(
        'select',
        { key: 's', ...fields.select('sort') },
        createElement('option', { value: 'newest' }, 'Newest'),
        createElement('option', { value: 'price' }, 'Price'),
      ),
      createElement('input', { key: 't', type: 'text', ...fields.text('unknown') }),
    ],
  };
  const bar = render(
    createElement(FilterForm, {
      action: '/deals',
      label: 'Filter deals',
      values: { sort: 'price', min: '25', max: '' },
      hrefOf: (parameters: URLSearchParams) => `/deals?${parameters}`,
      ...fieldsOfBar,
    }),
  );

  test('renders a filter bar as a GET form, with a button without JavaScript', () => {
    const [form] = tagsOf(bar, 'form');
    expect(attribute(form, 'action')).toBe('/deals');
    expect(attribute(form, 'method') ?? 'get').toBe('get');
    expect(attribute(form, 'aria-label')).toBe('Filter deals');
    const [apply] = tagsOf(bar, 'button');
    expect(attribute(apply, 'type')).toBe('submit');
    expect(apply).toContain('data-without-js');
    expect(textOf(bar)).toMatch(/Apply$/);
  });

  test('shows the values of the URL in a filter bar, and nothing if there are none', () => {
    expect(tagsOf(bar, 'option').map((tag) => tag.includes('selected'))).toEqual([false, true]);
    expect(namesAndValues(bar)).toEqual([['unknown', '']]);
  });
});

describe('a price range', () => {
  const range = render(
    createElement(PriceRangeField, {
      min: '25',
      max: '',
      pattern: moneyPattern('USD'),
      title: moneyHint('USD'),
    }),
  );

  test('starts a price range with the current values', () => {
    expect(namesAndValues(range)).toEqual([
      ['min', '25'],
      ['max', ''],
    ]);
  });

  test('labels the two ends of a price range for screen readers', () => {
    const [min, max] = tagsOf(range, 'input');
    expect([attribute(min, 'aria-label'), attribute(max, 'aria-label')]).toEqual([
      'Minimum price',
      'Maximum price',
    ]);
    expect(range).toMatch(/<fieldset[^>]*><legend[^>]*>Price range<\/legend>/);
    expect(attribute(min, 'inputMode')).toBe('decimal');
  });

  test('accepts exactly those prices in a range field that the server can parse', () => {
    const pattern = attribute(tagsOf(range, 'input')[0], 'pattern') ?? '';
    const isTaken = (text: string) => new RegExp(`^(?:${pattern})$`, 'v').test(text);
    fc.assert(
      fc.property(
        fc.record({
          sign: fc.constantFrom('', '$', '€', '£ '),
          whole: fc.integer({ min: 0, max: 99_999 }),
          fraction: fc.constantFrom('', '.5', '.99', '.00'),
        }),
        ({ sign, whole, fraction }) => {
          for (const digits of [String(whole), whole.toLocaleString('en-US')]) {
            const text = `${sign}${digits}${fraction}`;
            expect([text, parseMoney(text, 'USD') !== null, isTaken(text)]).toEqual([
              text,
              true,
              true,
            ]);
          }
        },
      ),
    );
    for (const text of ['', 'free', '1.234', '-5', '1e3', '5 or 6', '$']) {
      expect([text, parseMoney(text, 'USD'), isTaken(text)]).toEqual([text, null, false]);
    }
  });
});

describe('a dialog', () => {
  test('widens a dialog only on request, and shows its content', () => {
    const inside = { children: 'Fields' };
    const dialog = (isWide?: boolean | 'very') =>
      render(createElement(ModalDialog, { title: 'Edit', isWide, onClose: () => {}, ...inside }));
    expect(attribute(tagsOf(dialog(), 'dialog')[0], 'data-wide')).toBeUndefined();
    expect(attribute(tagsOf(dialog(true), 'dialog')[0], 'data-wide')).toBe('true');
    expect(attribute(tagsOf(dialog('very'), 'dialog')[0], 'data-wide')).toBe('very');
    expect(textOf(dialog())).toBe('Edit Fields');
  });

  test('names a dialog by its kind and its title when it has both', () => {
    const inside = { children: 'Fields' };
    const props = { title: 'Desk lamp', kind: 'Edit Deal', isWide: 'side' as const, ...inside };
    const html = render(createElement(ModalDialog, props));
    const labels = attribute(tagsOf(html, 'dialog')[0], 'aria-labelledby')?.split(' ') ?? [];
    const words = labels.map((id) => new RegExp(`id="${id}"[^>]*>([^<]*)`).exec(html)?.[1]);
    expect(words).toEqual(['Edit Deal', 'Desk lamp']);
  });
});

describe('a button', () => {
  test('prevents a second press from sending a form twice, and keeps the button in its place', () => {
    let prevented = 0;
    let pressed = 0;
    const event = { preventDefault: () => (prevented += 1) } as never;
    const press = (isBusy: boolean) => {
      const { props } = Button({ isBusy, onClick: () => (pressed += 1) });
      (props as { onClick(event: unknown): void }).onClick(event);
    };
    press(true);
    expect([prevented, pressed]).toEqual([1, 0]);
    press(false);
    expect([prevented, pressed]).toEqual([1, 1]);
  });

  test('styles a button by its purpose, and keeps the class of its page', () => {
    const variants = (['primary', 'secondary', 'quiet', 'danger'] as const).map((variant) =>
      buttonClass({ variant }),
    );
    expect(new Set(variants).size).toBe(4);
    expect(buttonClass({}, 'own').split(' ')).toContain('own');
    expect(buttonClass({ isWide: true, isIcon: true })).not.toBe(buttonClass());
    expect(buttonClass()).not.toMatch(/undefined|false/);
  });

  test('passes on a button’s attributes if it is a link', () => {
    const html = render(
      createElement(
        ButtonLink,
        { to: '/admin', isDocument: true, 'aria-label': 'Back office' },
        'x',
      ),
    );
    expect(attribute(tagsOf(html, 'a')[0], 'aria-label')).toBe('Back office');
  });

  test('shows a share button only with JavaScript', () => {
    const html = render(
      createElement(ShareButton, { title: 'Lamp', url: 'https://deals.test/deals/lamp' }),
    );
    expect(html).toMatch(/<span data-needs-js="true"><button[^>]*type="button"/);
    expect(textOf(html)).toBe('Share');
  });
});

test('shows the line below a page’s heading only if there is one', () => {
  const heading = (line?: string) => render(createElement(PageHeading, { title: 'Deals' }, line));
  expect(heading('240 live deals')).toMatch(/<h1>Deals<\/h1><p[^>]*>240 live deals<\/p>/);
  expect(tagsOf(heading(), 'p')).toEqual([]);
});

test('renders each icon of the second set as decoration, all different', () => {
  const drawing = (name: 'chart' | 'key' | 'scale' | 'rss' | 'heart') =>
    render(createElement(FurtherIcon, { name, size: 20 }));
  const all = (['chart', 'key', 'scale', 'rss', 'heart'] as const).map(drawing);
  expect(new Set(all).size).toBe(5);
  for (const html of all) {
    expect(html).toContain('aria-hidden="true"');
    expect(attribute(tagsOf(html, 'svg')[0], 'width')).toBe('20');
  }
});
