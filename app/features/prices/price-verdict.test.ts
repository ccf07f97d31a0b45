import {
  array,
  assert,
  boolean,
  constantFrom,
  integer,
  property,
  record,
} from '#test/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { type ClaimingSite, judgeClaim } from './price-claims.ts';
import { noProof, type PriceProof } from './price-proof.ts';
import { writeVerdict } from './price-verdict.ts';
import { findUsualPrice, type OfferedStep, type UsualPrice } from './usual-price.ts';

const now = new Date('2026-11-21T12:00:00Z');
const day = 86_400_000;
const daysAgo = (days: number) => new Date(now.getTime() - days * day);

const deal = {
  sale_price: 3900,
  original_price: null as number | null,
  discount_percent: 0,
  observed_percent: 0,
  checked_percent: 0,
  reference_price: null as number | null,
  low_30_before: null as number | null,
  price_since: daysAgo(2),
  availability: 'in_stock',
  is_expired: false,
  expires_at: null as Date | null,
  merchant: { name: 'Lamp House', keep_history: true },
};

const usual: UsualPrice = {
  price: 6300,
  days: 89,
  higher: 87,
  same: 2,
  lower: 0,
  isSteady: false,
};
const watched: PriceProof = {
  ...noProof,
  watchedSince: daysAgo(89.5),
  lowestEver: 3900,
  lowestBefore: 6300,
  lowest90: 3900,
  lowest30: 3900,
};

/** Returns the complete sentence. */
function sentence(
  changes: Partial<typeof deal> = {},
  proof: Partial<PriceProof> = {},
  site: Partial<ClaimingSite> = {},
): string {
  const whole = { ...deal, ...changes };
  const known = { ...watched, ...proof };
  const rules: ClaimingSite = {
    priceClaims: 'checked',
    wasPriceDays: 14,
    currency: 'USD',
    timeZone: 'UTC',
    ...site,
  };
  const verdict = writeVerdict(whole, known, judgeClaim(whole, known, rules), rules, now);
  return verdict.price + verdict.rest;
}

describe('the verdict on a price with a usual price', () => {
  const checkedBy = (reference: number, percent: number) => ({
    reference_price: reference,
    checked_percent: percent,
  });

  test('compares a lower price with the usual one', () => {
    expect(sentence(checkedBy(6300, 38), { usual, usualPrice: 6300 })).toBe(
      '$39, usually $63: lower than on 87 of the last 89 days',
    );
  });

  test('states that a price is higher than usual', () => {
    const higher = { ...usual, price: 3500, higher: 3, lower: 61 };
    expect(sentence(checkedBy(3500, 0), { usual: higher, usualPrice: 3500 })).toBe(
      '$39, usually $35: higher than on 61 of the last 89 days',
    );
  });

  test('states that a price is the usual one', () => {
    const same = { ...usual, price: 3900, higher: 10, same: 70, lower: 9 };
    expect(sentence({}, { usual: same })).toBe(
      '$39, its usual price: the same as on 70 of the last 89 days',
    );
  });

  test('states that a price never changed', () => {
    const steady = { ...usual, price: 3900, higher: 0, same: 89, isSteady: true };
    expect(sentence({}, { usual: steady })).toBe('$39, unchanged for 89 days');
    expect(sentence({}, { usual: { ...steady, days: 40 } })).toBe(
      '$39, the same on all the 40 days that we saw it on offer',
    );
  });

  test('does not write “the last” days if the deal was out of stock in between', () => {
    expect(sentence({}, { usual: { ...usual, days: 60, higher: 58 } })).toBe(
      '$39, usually $63: lower than on 58 of the 60 days that we saw it on offer',
    );
  });

  test('counts at most the last 90 days of a longer log', () => {
    const long = { watchedSince: daysAgo(400), usual: { ...usual, days: 90 } };
    expect(sentence({}, long)).toBe('$39, usually $63: lower than on 87 of the last 90 days');
  });

  test('does not call a difference below 1% a saving', () => {
    const near = { ...usual, price: 3930 };
    expect(sentence(checkedBy(3930, 0), { usual: near, usualPrice: 3930 })).toBe(
      '$39, about its usual $39.30: lower than on 87 of the last 89 days',
    );
  });

  test('omits the number of days if the stored median is older than the counts', () => {
    expect(sentence({}, { usual: { ...usual, higher: 0, lower: 80 } })).toBe('$39, usually $63');
  });
});

describe('the verdict next to a discount', () => {
  test('repeats that the discount check found no saving', () => {
    const found = { reference_price: 3800, original_price: 7000, discount_percent: 44 };
    expect(sentence(found, { usual, usualPrice: 6300 })).toBe(
      '$39, no saving according to our discount check, which compared it with $38',
    );
  });

  test('states the smaller saving found by the discount check', () => {
    const found = { reference_price: 4200, checked_percent: 7 };
    expect(sentence(found, { usual, usualPrice: 6300 })).toBe(
      '$39, $3 below the $42 it cost before: lower than on 87 of the last 89 days',
    );
  });

  test('uses the log if a third party claims a higher earlier price', () => {
    const claim = { original_price: 19_900, discount_percent: 80 };
    const found = { ...claim, reference_price: 6300, checked_percent: 38 };
    const by = (priceClaims: ClaimingSite['priceClaims']) =>
      sentence(found, { usual, usualPrice: 6300 }, { priceClaims });
    for (const rule of ['checked', 'claimed'] as const) {
      expect(by(rule)).toBe('$39, usually $63: lower than on 87 of the last 89 days');
    }
  });

  test('repeats that the preceding 30 days allow no reduction', () => {
    const before = { low_30_before: 3800, price_since: daysAgo(10) };
    expect(sentence(before, { usual }, { priceClaims: 'observed' })).toBe(
      '$39, no reduction: we saw $38 in the 30 days before the current price began',
    );
  });

  test('states the saving that the preceding 30 days allow', () => {
    const before = { low_30_before: 4200, observed_percent: 7 };
    expect(sentence(before, { usual }, { priceClaims: 'observed' })).toBe(
      '$39, $3 below the $42 it cost before: lower than on 87 of the last 89 days',
    );
  });
});

describe('the verdict on a price with a short log', () => {
  const since = (days: number) => ({ watchedSince: daysAgo(days), lowestBefore: null });
  const claim = { original_price: 6300, discount_percent: 38 };

  test('states that there is no log', () => {
    expect(sentence({}, noProof)).toBe('$39: we have no price history of it yet');
  });

  test('describes a log of one day, and of less than a day', () => {
    expect(sentence({}, since(0.5))).toBe('$39: we have watched this price for less than a day');
    expect(sentence({}, since(1.5))).toBe(
      '$39: we have watched this price for 1 day, too briefly to judge it',
    );
  });

  test('attributes an unchecked earlier price to the store', () => {
    expect(sentence(claim, noProof)).toBe(
      '$39; the store says it was $63, which we can’t confirm yet',
    );
    expect(sentence(claim, since(1.5))).toBe(
      '$39; the store says it was $63, which 1 day of our log can’t confirm',
    );
  });

  test('states that a price did not change in a few days', () => {
    expect(sentence(claim, since(5.5))).toBe(
      '$39, unchanged in the 5 days that we have watched it',
    );
  });

  test('calls the lowest price the lowest of the watched days', () => {
    expect(sentence({}, { watchedSince: daysAgo(9) })).toBe(
      '$39, the lowest in the 9 days that we have watched it',
    );
  });

  test('states how far a price is above the lowest', () => {
    const lower = { lowestEver: 3500, lowest90: 3500, lowest30: 3500, watchedSince: daysAgo(9) };
    expect(sentence({}, lower)).toBe(
      '$39, $4 above the lowest in the 9 days that we have watched it',
    );
  });

  test('states the window of the lowest price if an older price was lower', () => {
    const old = { lowestEver: 3000, watchedSince: daysAgo(200) };
    expect(sentence({}, old)).toBe('$39, the lowest in 90 days');
    expect(sentence({}, { ...old, lowest90: 3100 })).toBe('$39, the lowest in 30 days');
    const young = { ...old, lowest90: 3900, lowest30: 3900, watchedSince: daysAgo(20) };
    expect(sentence({}, young)).toBe(
      '$39, $9 above the lowest in the 20 days that we have watched it',
    );
  });
});

describe('the verdict on a price that no visitor can pay', () => {
  test('shows the last price of an expired deal', () => {
    expect(sentence({ is_expired: true, expires_at: daysAgo(3) }, { usual })).toBe(
      '$39 was the last price: this deal expired on Nov 18, 2026',
    );
    expect(sentence({ is_expired: true }, { usual })).toBe(
      '$39 was the last price: this deal expired',
    );
  });

  test('states that a deal is out of stock', () => {
    expect(sentence({ availability: 'out_of_stock' })).toBe(
      '$39, but out of stock when last checked',
    );
  });

  test('shows no verdict on a price if the store forbids a log', () => {
    expect(sentence({ merchant: { name: 'Strict', keep_history: false } }, noProof)).toBe(
      '$39: this store does not let us track its prices',
    );
  });
});

test('writes prices in the currency of the site', () => {
  expect(sentence({}, { usual }, { currency: 'JPY' })).toBe(
    '¥3,900, usually ¥6,300: lower than on 87 of the last 89 days',
  );
  expect(sentence({ sale_price: 3999 }, { usual }, { currency: 'EUR' })).toBe(
    '€39.99, usually €63: lower than on 87 of the last 89 days',
  );
});

/** Logs with the oldest step first. A step without an offer was out of stock. */
const logs = array(
  record({
    price: constantFrom(3000, 3890, 3900, 4200, 6300),
    days: integer({ min: 1, max: 40 }),
    isOffer: boolean(),
  }),
  { minLength: 1, maxLength: 8 },
);

test('never claims more days or a lower price than the log proves', () => {
  assert(
    property(
      logs,
      constantFrom<ClaimingSite['priceClaims'][]>('checked', 'claimed', 'observed'),
      (log, priceClaims) => {
        let end = now.getTime();
        const steps = log
          .map((step, n) => (n === log.length - 1 ? { ...step, isOffer: true } : step))
          .toReversed()
          .map(({ price, days, isOffer }) => {
            const until = end;
            end -= days * day;
            return { price, from: end, until, isOffer };
          })
          .toReversed();
        const offered = steps.filter(({ isOffer }) => isOffer);
        const proof = proofOf(offered);
        const present = steps.at(-1)?.price ?? 0;
        const text = sentence({ sale_price: present }, proof, { priceClaims });
        const recent = within(offered, 90);
        const [, compared = '', times = '0', total = '0'] =
          /(lower than|higher than|the same as) on (\d+) of the (?:last )?(\d+) days/.exec(text) ??
          [];
        const meant = recent.filter(({ price }) =>
          compared === 'lower than'
            ? price > present
            : compared === 'higher than'
              ? price < present
              : price === present,
        );
        expect(Number(times)).toBeLessThanOrEqual(daysOf(meant));
        expect(Number(total)).toBeLessThanOrEqual(daysOf(recent));
        const sinceOffered = within(steps.slice(steps.findIndex(({ isOffer }) => isOffer)), 90);
        const prices = recent.map((step) => step.price);
        const isProven = {
          whole: sinceOffered.every(({ isOffer }) => isOffer),
          steady: new Set(prices).size === 1,
          lowest: present === Math.min(...prices),
        };
        const isClaimed = {
          whole: /of the last \d+ days|unchanged for/.test(text),
          steady: text.includes('unchanged'),
          lowest: text.includes(', the lowest'),
        };
        expect(isClaimed.whole && !isProven.whole).toBe(false);
        expect(isClaimed.steady && !isProven.steady).toBe(false);
        expect(isClaimed.lowest && !isProven.lowest).toBe(false);
      },
    ),
  );
});

function within<Step extends OfferedStep>(steps: Step[], days: number): Step[] {
  const opens = now.getTime() - days * day;
  return steps
    .filter(({ until }) => until > opens)
    .map((step) => ({ ...step, from: Math.max(step.from, opens) }));
}

function daysOf(steps: OfferedStep[]): number {
  return Math.floor(steps.reduce((sum, { from, until }) => sum + until - from, 0) / day);
}

function proofOf(offered: OfferedStep[]): PriceProof {
  const lowest = (steps: OfferedStep[]) =>
    steps.length === 0 ? null : Math.min(...steps.map(({ price }) => price));
  const present = offered.at(-1)?.price ?? 0;
  return {
    ...noProof,
    watchedSince: new Date(offered[0]?.from ?? now),
    lowestEver: lowest(offered),
    lowestBefore: lowest(offered.slice(0, -1)),
    lowest90: lowest(within(offered, 90)),
    lowest30: lowest(within(offered, 30)),
    usual: findUsualPrice(within(offered, 90), present),
  };
}
