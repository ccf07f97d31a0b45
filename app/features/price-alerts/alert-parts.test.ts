import { createElement } from 'react';
import { assert, integer, property } from '#test/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { parseMoney } from '#app/platform/money.ts';
import { render, tagsOf, textOf } from '#test/render-component.tsx';
import { AlertDealSummary } from './alert-deal-summary.tsx';
import { AlertForm } from './alert-form.tsx';
import { readAlertInput } from './alert-input.ts';
import { alertKinds, defaultTarget, describeAlert, isAlertKind } from './alert-kind.ts';

const read = (fields: Record<string, string>, salePrice: number | null = 2000) =>
  readAlertInput(new URLSearchParams(fields), salePrice, 'USD');

describe('the condition of an alert', () => {
  test('uses a target price as the default condition of an alert', () => {
    expect(read({ target: '15' })).toEqual({
      ok: true,
      rule: { kind: 'target', target_price: 1500, target_percent: null, repeats: false },
    });
  });

  // Proves Back office 5: Alert edit bounds (alert-input.ts)
  test.each([
    ['0.01', 1],
    ['20', 2000],
    ['$19.99', 1999],
    ['19,99 €', 1999],
  ])('accepts a target of %s within its limits', (target, cents) => {
    expect(read({ target })).toMatchObject({ ok: true, rule: { target_price: cents } });
  });

  // Proves Storefront 5: Alert edit: Save disabled when saving, empty or 0 (alert-dialogs.tsx)
  test.each([
    ['0', 'Target price must be greater than 0'],
    ['0.00', 'Target price must be greater than 0'],
    ['-5', 'Target price must be greater than 0'],
    ['20.01', 'Target price must not be above the current price of $20.00'],
    ['', 'Please enter a price, such as 19.99'],
    ['cheap', 'Please enter a price, such as 19.99'],
    ['-5,00', 'Target price must be greater than 0'],
    ['-', 'Please enter a price, such as 19.99'],
    ['1.999', 'Write 1999 or 2.00: 1.999 could be either'],
  ])('rejects a target of %j with %j', (target, message) => {
    expect(read({ target })).toEqual({ ok: false, message });
  });

  // Proves Storefront 9: Alert: 90 %, 0.01, step 0.01, 999999 (alert-kind.ts)
  test('limits the target even for a deal without a price', () => {
    expect(read({ target: '999999' }, null).ok).toBe(true);
    expect(read({ target: '999999.01' }, null)).toMatchObject({
      message: expect.stringContaining('$999,999.00'),
    });
  });

  test.each(['1', '10', '99'])('accepts a drop by %s percent', (percent) => {
    expect(read({ kind: 'percent_drop', percent, target: '5' })).toEqual({
      ok: true,
      rule: {
        kind: 'percent_drop',
        target_price: null,
        target_percent: Number(percent),
        repeats: false,
      },
    });
  });

  test.each(['0', '100', '-1', '2.5', 'ten', ''])('rejects a drop by %j percent', (percent) => {
    expect(read({ kind: 'percent_drop', percent })).toEqual({
      ok: false,
      message: 'Please enter a percentage from 1 to 99',
    });
  });

  test.each(['any_drop', 'new_low_30', 'new_low_90', 'back_in_stock'])(
    'requires no number for the alert kind %s',
    (kind) => {
      expect(read({ kind, target: 'x', percent: 'y' })).toEqual({
        ok: true,
        rule: { kind, target_price: null, target_percent: null, repeats: false },
      });
    },
  );

  test.each(['free', 'constructor', 'TARGET'])('rejects the alert kind %s', (kind) => {
    expect(isAlertKind(kind)).toBe(false);
    expect(read({ kind, target: '5' })).toEqual({
      ok: false,
      message: 'Failed to create price alert',
    });
  });
});

describe('the default target', () => {
  // Proves Storefront 5: Alert default: 90 % to the cent (alert-kind.ts)
  test('defaults the target to 90% of the price, rounded to the cent', () => {
    expect([2000, 1999, 5, 1].map(defaultTarget)).toEqual([1800, 1799, 5, 1]);
  });

  test('always accepts the default target in the form', () => {
    assert(
      property(integer({ min: 1, max: 2_000_000_000 }), (price) => {
        const target = defaultTarget(price);
        const typed = (target / 100).toFixed(2);
        expect(read({ target: typed }, price)).toMatchObject({ ok: true });
        expect(target).toBeGreaterThan(0);
      }),
    );
  });
});

test('describes each kind of alert in a few words', () => {
  const words = alertKinds.map((kind) =>
    describeAlert(
      { kind, target_price: 1500, target_percent: 10, repeats: kind === 'any_drop' },
      (cents) => `${cents} cents`,
    ),
  );
  expect(words).toEqual([
    '1500 cents',
    'Any drop, each time',
    '10% drop',
    'New 30-day low',
    'New 90-day low',
    'Back in stock',
  ]);
});

describe('the alert form', () => {
  const deal = {
    id: 7,
    title: 'Desk lamp',
    picture: null,
    sale_price: 2000,
    merchantName: 'Lamp House',
  };
  const form = (props: Partial<Parameters<typeof AlertForm>[0]> = {}) =>
    render(createElement(AlertForm, { deal, currency: 'USD', rules: [], ...props }));
  const target = (html: string) =>
    tagsOf(html, 'input').find((tag) => tag.includes('name="target"')) ?? '';

  // Proves Storefront 2: Price alert modal: deal, price, target, how it works, success for 2 s (alert-form.tsx)
  test('shows the deal, its price and the effect in the alert form', () => {
    const text = textOf(form());
    expect(text).toContain('Desk lamp Lamp House Current Price: $20.00');
    expect(text).toContain('How it works');
    expect(text).toContain("We'll notify you when the price drops to or below this amount");
  });

  test('shows the site’s currency in the label of the target price', () => {
    const inCurrency = (currency: string) =>
      textOf(render(createElement(AlertForm, { deal, currency, rules: [] })));
    expect(inCurrency('USD')).toContain('Target Price ($)');
    expect(inCurrency('EUR')).toContain('Target Price (€)');
  });

  test('defaults the form’s target to 90%, between one cent and the current price', () => {
    expect(target(form())).toContain('value="18.00"');
    // A number field would itself reject `17,99`, so the limits are checked when the text is
    // parsed.
    expect(target(form())).toContain('type="text"');
    expect(target(form())).toContain('inputMode="decimal"');
    const isTaken = (typed: string) => read({ target: typed }, deal.sale_price).ok;
    expect(['0.01', '0,01', '17,99 €', '20.00'].map(isTaken)).toEqual([true, true, true, true]);
    expect(['0', '0.005', '0,00', '20.01'].map(isTaken)).toEqual([false, false, false, false]);
  });

  test('offers every kind of alert in the form', () => {
    const [, options = ''] = /<select[^>]*name="kind"[^>]*>(.*?)<\/select>/s.exec(form()) ?? [];
    expect(tagsOf(options, 'option')).toHaveLength(alertKinds.length);
  });

  test('starts the form with the existing alert for a deal, and explains other kinds', () => {
    const rules = [
      { kind: 'target', target_price: 1234, target_percent: null, repeats: false },
      { kind: 'percent_drop', target_price: null, target_percent: 25, repeats: true },
    ] as const;
    const html = form({ rules: [...rules] });
    expect(target(html)).toContain('value="12.34"');
    expect(html).toMatch(/name="percent"[^>]*value="25"/);
    expect(textOf(html)).toContain(
      'You already watch for: $12.34; 25% drop, each time. Choose a different kind',
    );
    expect(textOf(html)).toContain('Save Changes');
    expect(textOf(html)).not.toContain('Create Alert');
  });

  test('offers quick picks that the alert form accepts', () => {
    const picks = [
      ...form().matchAll(/−(?:<!-- -->)?(\d+)(?:<!-- -->)?%<span[^>]*>: (?:<!-- -->)?\$([\d.]+)/g),
    ];
    expect(
      picks.map(([, percent, price]) => [Number(percent), parseMoney(price ?? '', 'USD')]),
    ).toEqual([
      [5, 1900],
      [10, 1800],
      [20, 1600],
    ]);
  });

  test('announces errors of the alert form as an alert', () => {
    expect(form({ error: 'Target price must be greater than 0' })).toMatch(
      /role="alert">Target price must be greater than 0/,
    );
    expect(form()).not.toContain('role="alert"');
  });

  test('shows Cancel only in the alert dialog', () => {
    expect(textOf(form({ onClose: () => {} }))).toContain('Create Alert Cancel');
    expect(textOf(form())).not.toContain('Cancel');
    expect(form({ onClose: () => {} })).toContain('name="via" value="dialog"');
  });

  // Proves Storefront 2: Price Alerts: “Sign In Required”, empty, error, card and its fallbacks (price-alerts-page.tsx)
  test('shows placeholders for a missing title or store in the alert form', () => {
    const bare = { ...deal, title: '', merchantName: '' };
    const text = textOf(render(createElement(AlertDealSummary, { deal: bare, currency: 'USD' })));
    expect(text).toContain('Deal Title Unknown Merchant');
  });
});
