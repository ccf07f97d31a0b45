import {
  array,
  assert,
  constant,
  constantFrom,
  integer,
  option,
  property,
  record,
} from '#test/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { inFull, inOneLine, judgePrice } from './judge-price.ts';
import { claimNote, discountOf, judgeClaim, percentOff } from './price-claims.ts';
import {
  describeLow,
  describeProof,
  noProof,
  periodBefore,
  type PriceProof,
} from './price-proof.ts';
import { sparklinePath } from './sparkline.ts';
import { describeUsual, findUsualPrice } from './usual-price.ts';

const now = new Date('2026-11-21T12:00:00Z');
const day = 86_400_000;
const daysAgo = (days: number) => new Date(now.getTime() - days * day);
const claimed = {
  priceClaims: 'claimed',
  wasPriceDays: 14,
  currency: 'USD',
  timeZone: 'UTC',
} as const;
const observed = { ...claimed, priceClaims: 'observed' } as const;
const checked = { ...claimed, priceClaims: 'checked' } as const;

const deal = {
  sale_price: 1999,
  original_price: 3999 as number | null,
  discount_percent: 50,
  observed_percent: 20,
  checked_percent: 9,
  reference_price: 2199 as number | null,
  low_30_before: 2499 as number | null,
  availability: 'in_stock',
  net_contents: null,
  is_expired: false,
  price_checked_at: daysAgo(1),
  price_since: daysAgo(5),
  merchant: { name: 'Lamp House', hide_price_after_hours: null as number | null },
};

const known: PriceProof = {
  points: [
    { at: daysAgo(40), price: 2499 },
    { at: daysAgo(5), price: 1999 },
  ],
  prices: [2499, 1999],
  times: [daysAgo(40).getTime(), daysAgo(5).getTime()],
  watchedSince: daysAgo(100),
  lowestEver: 1999,
  lowestBefore: 2499,
  lowest90: 1999,
  lowest30: 1999,
  originalSeenUntil: null,
  originalAskedDays: 0,
  usual: null,
  usualPrice: 2199,
};

describe('the price shown to a visitor', () => {
  test('shows a price with its claim, evidence and lows', () => {
    expect(judgePrice(deal, known, claimed, now)).toMatchObject({
      now: 1999,
      claim: { percent: 50, was: 3999, saved: 2000, basis: 'claimed' },
      proof: { kind: 'lowest-ever', text: 'Lowest ever seen' },
      lowestEver: 1999,
      low30Before: 2499,
    });
  });

  test('draws a sparkline only if the price changed', () => {
    expect(judgePrice(deal, known, claimed, now)?.proof.line).toMatch(/^M2 2H[\d.]+V16H62$/);
    expect(judgePrice(deal, noProof, claimed, now)?.proof.line).toBeNull();
  });

  test('P35d: shows no price if the merchant requires hiding it', () => {
    const merchant = { ...deal.merchant, hide_price_after_hours: 24 };
    const old = { ...deal, merchant, price_checked_at: new Date(now.getTime() - day - 1) };
    expect(judgePrice(old, known, claimed, now)).toBeNull();
    expect(
      judgePrice({ ...old, price_checked_at: daysAgo(1) }, known, claimed, now),
    ).not.toBeNull();
  });

  test('P7a: applies the site’s setting for price claims', () => {
    expect(judgePrice(deal, known, claimed, now)?.claim.was).toBe(3999);
    expect(judgePrice(deal, known, observed, now)?.claim.was).toBe(2499);
    expect(judgePrice(deal, known, checked, now)?.claim.was).toBe(2199);
  });
});

const seenFor = (originalAskedDays: number, originalSeenUntil = daysAgo(3)): PriceProof => ({
  ...known,
  originalSeenUntil,
  originalAskedDays,
});

describe('an earlier price in our log', () => {
  test('accepts an earlier price that lasted the owner’s minimum duration, and shows how long it lasted', () => {
    expect(judgeClaim(deal, seenFor(14), claimed)).toMatchObject({
      basis: 'seen',
      percent: 50,
      was: 3999,
      evidence: 'We saw the store charge $39.99 for 14 days of the last 90, until Nov 18, 2026.',
    });
    expect(judgeClaim(deal, seenFor(13), { ...claimed, wasPriceDays: 13 }).was).toBe(3999);
    expect(judgeClaim(deal, seenFor(0), { ...claimed, wasPriceDays: 0 }).was).toBe(3999);
  });

  // Proves P7a: a was price was asked for long enough (price-claims.ts)
  test('rejects an earlier price below the minimum duration, with the reason instead of a percentage', () => {
    expect(judgeClaim(deal, seenFor(13), claimed)).toEqual({
      basis: 'none',
      percent: null,
      was: null,
      saved: null,
      isUnchecked: false,
      storePercent: null,
      source: null,
      evidence:
        'We saw the store charge $39.99 for 13 days of the last 90: too short to call it an earlier price.',
    });
    expect(judgeClaim(deal, seenFor(1), claimed).evidence).toContain('for 1 day of');
    expect(judgeClaim(deal, seenFor(0), claimed).evidence).toContain('for less than a day of');
  });
});

/** Computes the same value as the database column of that name. */
function checkedPercent(facts: {
  sale_price: number;
  reference_price: number | null;
  discount_percent: number;
}): number {
  const { sale_price, reference_price: reference } = facts;
  if (reference === null) return facts.discount_percent;
  const share = (reference - sale_price) / reference;
  return share < 0.01 ? 0 : Math.round(100 * share);
}

describe('a checked discount', () => {
  // Proves P7a: checked, the default (price-claims.ts)
  test('computes a checked discount from the usual price, next to the store’s claim', () => {
    const claim = judgeClaim(deal, known, checked);
    expect(claim).toEqual({
      basis: 'usual',
      percent: 9,
      was: 2199,
      saved: 200,
      isUnchecked: false,
      storePercent: 50,
      source: 'its usual price',
      evidence: 'Its usual price is $21.99, the median of the last 90 days.',
    });
    expect(claimNote(claim, 'USD')).toBe('Was: its usual price · store says −50%');
  });

  test('states the “was” price of a checked discount if our log saw it and it is the reference', () => {
    const asked = { ...deal, original_price: 2199, discount_percent: 9 };
    const claim = judgeClaim(asked, { ...seenFor(20), usualPrice: 2299 }, checked);
    expect(claim).toMatchObject({
      basis: 'seen',
      storePercent: null,
      evidence: 'We saw the store charge $21.99 for 20 days of the last 90, until Nov 18, 2026.',
    });
    expect(claimNote(claim, 'USD')).toBe('Was $21.99 for 20 days');
  });

  test('states the discount check’s basis if that is the reference', () => {
    const claim = judgeClaim(deal, { ...known, usualPrice: 2999 }, checked);
    expect(claim).toMatchObject({ basis: 'measured', was: 2199 });
    expect(claim.evidence).toContain('discount check compared this reduction with $21.99');
  });

  test('shows the store’s claim if the reference is not higher than the price', () => {
    const usual = { ...deal, reference_price: 1999, checked_percent: 0 };
    const claim = judgeClaim(usual, { ...known, usualPrice: 1999 }, checked);
    expect(claim).toMatchObject({ basis: 'none', percent: null, was: null, saved: null });
    expect(claim.evidence).toBe(
      'No saving according to our log: its usual price is $19.99, the median of the last 90 days.',
    );
    expect(claimNote(claim, 'USD')).toBe('Store says −50%');
    expect(discountOf(claim)).toBeNull();
  });

  test('labels the store’s claim as unchecked while the log is too short to check it', () => {
    const unknown = { ...deal, reference_price: null, checked_percent: 50 };
    const claim = judgeClaim(unknown, known, checked);
    expect(claim).toMatchObject({ basis: 'claimed', percent: 50, was: 3999, isUnchecked: true });
    expect(discountOf(claim)).toEqual({ percent: 50, isUnchecked: true });
    expect(percentOff(claim)).toBe('Store says 50% off');
    expect(claimNote(claim, 'USD')).toBe('Was: the store’s claim, not checked yet');
    expect(judgeClaim({ ...unknown, original_price: null }, known, checked).isUnchecked).toBe(
      false,
    );
  });

  test('reveals nothing from a log that is no longer kept', () => {
    expect(judgeClaim(deal, noProof, checked)).toMatchObject({ was: 3999, isUnchecked: true });
  });
});

describe('a sentence about lows', () => {
  const of = (days: number, lowest90: number | null = 1999) =>
    describeLow(1999, { lowest90, watchedSince: daysAgo(days) }, now, 'USD');

  test('never claims more days than were watched in a sentence about lows', () => {
    expect(of(90)).toBe('That is the lowest price we have seen in 90 days.');
    expect(of(400, 1500)).toBe('The lowest price we have seen in 90 days is $15.00.');
    expect(of(88)).toBe(
      'That is the lowest price we have seen in the 88 days that we have watched it.',
    );
    expect(of(2, 1500)).toBe(
      'The lowest price we have seen in the 2 days that we have watched it is $15.00.',
    );
    expect(of(1)).toBe('We have watched this price for less than two days.');
    expect(of(3, null)).toBe('We have no price history of this deal yet.');
    expect(describeLow(1, { lowest90: 1, watchedSince: null }, now, 'USD')).toContain('no price');
  });

  test('states the watched days before the current price, at most 30', () => {
    const before = (days: number) => periodBefore({ watchedSince: daysAgo(days + 5) }, daysAgo(5));
    expect(before(30)).toBe('in the 30 days before the current price began');
    expect(before(29)).toBe('in the 29 days that we watched before the current price began');
    expect(before(1)).toBe('in the 1 day that we watched before the current price began');
    expect(before(0)).toBe('in the day that we watched before the current price began');
  });
});

describe('the percentage of a claim', () => {
  test('omits a percentage that rounds to zero, but keeps the saved amount', () => {
    const almost = { ...deal, sale_price: 99_999, original_price: 100_000, discount_percent: 0 };
    expect(judgeClaim(almost, known, claimed)).toMatchObject({ percent: null, saved: 1 });
    const seen = { ...deal, sale_price: 99_999, low_30_before: 100_000, observed_percent: 0 };
    expect(judgeClaim(seen, known, observed)).toMatchObject({ percent: null, saved: 1 });
  });

  test('never claims that a deal costs nothing', () => {
    const nearlyFree = { ...deal, sale_price: 1, original_price: 100_000, discount_percent: 100 };
    expect(judgeClaim(nearlyFree, known, claimed).percent).toBe(99);
    const dropped = { ...deal, sale_price: 1, low_30_before: 100_000, observed_percent: 100 };
    expect(judgeClaim(dropped, known, observed).percent).toBe(99);
  });
});

describe('the text of a claim', () => {
  test('writes the store’s name in the possessive, even if it ends in s', () => {
    const of = (name: string) =>
      judgeClaim({ ...deal, merchant: { name } }, known, claimed).evidence;
    expect(of('Lamp House')).toContain('$39.99 is Lamp House’s own claim.');
    expect(of('Brothers')).toContain('$39.99 is Brothers’ own claim.');
  });

  test('states briefly who claims a discount', () => {
    const short = (...args: Parameters<typeof judgeClaim>) => judgeClaim(...args).source;
    expect(short(deal, known, claimed)).toBe('the store’s claim');
    expect(short(deal, seenFor(23), claimed)).toBe('for 23 days');
    expect(short(deal, known, observed)).toBe('30-day low, seen by us');
    expect(short({ ...deal, original_price: null }, known, claimed)).toBeNull();
    expect(short({ ...deal, low_30_before: null }, known, observed)).toBeNull();
  });

  test('shows the last day with the earlier price, in the site’s time zone', () => {
    const until = new Date('2026-11-03T23:30:00Z');
    const berlin = { ...claimed, timeZone: 'Europe/Berlin' };
    expect(judgeClaim(deal, seenFor(23, until), berlin).evidence).toContain('until Nov 4, 2026');
  });

  test('explains why no discount is claimed', () => {
    const why = (change: Partial<typeof deal>, site: typeof claimed | typeof observed) =>
      judgeClaim({ ...deal, ...change }, known, site).evidence;
    expect(why({ original_price: null }, claimed)).toBe(
      'The store claims no earlier price for this deal.',
    );
    expect(why({ low_30_before: null }, observed)).toBe(
      'We have not watched this price long enough to call it a reduction.',
    );
    expect(why({ low_30_before: 1500 }, observed)).toBe(
      'Not a reduction: we saw $15.00 in the 30 days before the current price began.',
    );
  });

  test('never claims a saving that the two prices do not support', () => {
    const price = integer({ min: 1, max: 2_000_000_000 });
    assert(
      property(
        record({
          sale_price: price,
          original_price: option(price),
          price_since: constant(daysAgo(5)),
          low_30_before: option(price),
          discount_percent: integer({ min: 0, max: 100 }),
          observed_percent: integer({ min: 0, max: 100 }),
          reference_price: option(price),
        }),
        constantFrom(claimed, observed, checked),
        (facts, site) => {
          const claim = judgeClaim(
            { ...facts, checked_percent: checkedPercent(facts), merchant: { name: 'Shop' } },
            known,
            site,
          );
          const saved = claim.was === null ? null : claim.was - facts.sale_price;
          expect(claim.saved).toBe(saved);
          expect(saved ?? 1).toBeGreaterThan(0);
          expect(claim.basis === 'none').toBe(saved === null);
          expect(saved === null && claim.percent !== null).toBe(false);
        },
      ),
    );
  });
});

describe('a green price', () => {
  const usual = { price: 2499, days: 80, higher: 70, same: 10, lower: 0, isSteady: false };
  const proofOf = (proof: Partial<PriceProof>, sale_price = 1999) =>
    judgePrice({ ...deal, sale_price }, { ...known, usual, ...proof }, checked, now)?.proof;

  test('shows a price in green if it is a low and at least a tenth below the usual price', () => {
    expect(proofOf({})).toMatchObject({ text: 'Lowest ever seen', isGood: true });
    expect(proofOf({ usual: { ...usual, price: 2221 } })?.isGood).toBe(false);
    expect(proofOf({ usual: null })?.isGood).toBe(false);
    expect(
      proofOf({ lowestEver: 1500, lowestBefore: 1500, lowest90: 1500, lowest30: 1500 }),
    ).toMatchObject({ kind: 'above-low', isGood: false });
  });

  test('does not show the usual price or a higher one in green, and states how many days were cheaper', () => {
    const rose = { lowestEver: 1000, lowestBefore: 1000, lowest90: 1000 };
    expect(proofOf({ ...rose, usual: { ...usual, price: 1999 } })).toMatchObject({
      text: 'Lowest in 30 days',
      isGood: false,
    });
    const dearer = { ...usual, price: 1000, higher: 0, same: 29, lower: 51 };
    expect(proofOf({ ...rose, usual: dearer })).toMatchObject({
      kind: 'above-low',
      text: 'Higher than on 51 of 80 days',
      isGood: false,
    });
  });
});

describe('the evidence on a card', () => {
  const words = (proof: Partial<PriceProof>, facts: Partial<typeof deal> = {}) =>
    describeProof({ ...known, ...proof }, { ...deal, ...facts }, now, 'USD');

  test('calls a low the lowest ever after 90 days of prices, and the lowest in N days before that', () => {
    expect(words({ watchedSince: daysAgo(90) }).text).toBe('Lowest ever seen');
    expect(words({ watchedSince: daysAgo(89) }).text).toBe('Lowest in 89 days');
  });

  test('counts only whole days in a card’s evidence', () => {
    expect(words({ watchedSince: new Date(now.getTime() - 2 * day + 1) }).text).toBe(
      'Lowest since yesterday',
    );
    expect(words({ watchedSince: daysAgo(2) }).text).toBe('Lowest in 2 days');
    expect(words({ watchedSince: new Date(now.getTime() - 1) }).text).toBe('Lowest today');
  });

  test('does not call an equal low a new record', () => {
    expect(words({ lowestBefore: 1999 }).text).toBe('Lowest in 90 days');
  });

  test('prefers a ninety-day low to a thirty-day one', () => {
    const older = { lowestEver: 1000, lowestBefore: 1000 };
    expect(words(older).text).toBe('Lowest in 90 days');
    expect(words({ ...older, lowest90: 1500 }).text).toBe('Lowest in 30 days');
    expect(words({ ...older, lowest90: 1500, lowest30: 1500 })).toEqual({
      kind: 'above-low',
      text: '$9.99 above its low',
    });
  });

  test('does not mention an unchanged price before two days have passed', () => {
    const steady = { lowestBefore: null, lowestEver: null };
    expect(words({ ...steady, watchedSince: daysAgo(1.9) }).text).toBe('No history yet');
    expect(words({ ...steady, watchedSince: daysAgo(2) }).text).toBe('Same price for 2 days');
  });

  test('P7b: shows out of stock instead of anything positive', () => {
    expect(words({}, { availability: 'out_of_stock' }).kind).toBe('out-of-stock');
    expect(words({}, { availability: 'unknown' }).kind).toBe('lowest-ever');
  });
});

describe('the usual price', () => {
  /**
   * Returns the usual price for prices that began this many days ago, each until the next. `null`
   * means out of stock.
   */
  const usualOf = (...prices: [age: number, price: number | null][]) => {
    const steps = prices.map(([age, price], n) => ({
      price: price ?? 0,
      from: daysAgo(age).getTime(),
      until: daysAgo(prices[n + 1]?.[0] ?? 0).getTime(),
    }));
    const offered = steps.filter(({ price }) => price > 0);
    return findUsualPrice(offered, prices.at(-1)?.[1] ?? 0);
  };
  const judged = (usual: PriceProof['usual'], proof: Partial<PriceProof> = {}, change = {}) =>
    judgePrice({ ...deal, ...change }, { ...known, ...proof, usual }, claimed, now);

  test('computes the usual price as the median weighted by time, not by the number of changes', () => {
    expect(usualOf([87, 84_900], [4, 60_000], [3, 61_000], [2, 62_000], [1, 64_000])).toEqual({
      price: 84_900,
      days: 87,
      higher: 83,
      same: 1,
      lower: 3,
      isSteady: false,
    });
    expect(usualOf([80, 1000], [50, null], [20, 2000])).toMatchObject({ price: 1000, days: 50 });
  });

  test('requires 14 days on offer for a usual price, no matter how long ago the deal was first seen', () => {
    expect(usualOf([14, 2000], [1, 1999])).toMatchObject({ days: 14 });
    expect(usualOf([13.9, 2000], [1, 1999])).toBeNull();
    expect(usualOf([80, 2000], [70, null], [3.9, 1999])).toBeNull();
    expect(findUsualPrice([], 1999)).toBeNull();
  });

  test('never counts more days for the usual price than there were, for any prices', () => {
    const prices = array(integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 40 });
    assert(
      property(prices, integer({ min: 14, max: 90 }), (list, days) => {
        const usual = usualOf(
          ...list.map((price, n): [number, number] => [
            (days * (list.length - n)) / list.length,
            price,
          ]),
        );
        const present = list.at(-1) ?? 0;
        const { higher = 0, same = 0, lower = 0, price = present } = usual ?? {};
        expect(higher + same + lower).toBeLessThanOrEqual(usual?.days ?? 0);
        expect(usual?.days ?? 0).toBeLessThanOrEqual(days);
        expect(list).toContain(price);
        // At least half of the time is on the other side of the median.
        const side = present < price ? higher : present > price ? lower : days;
        expect(side + 1).toBeGreaterThanOrEqual(Math.floor(days / 2));
      }),
    );
  });

  test('states the usual price and how the current one compares with other days', () => {
    const sentence = (usual: PriceProof['usual'], price: number) =>
      usual && describeUsual(usual, price, 'USD').sentence;
    expect(sentence(usualOf([87, 84_900], [4, 64_000]), 64_000)).toBe(
      'It usually costs $849.00; this price is lower than on 83 of the 87 days that we saw it on offer.',
    );
    expect(sentence(usualOf([90, 84_900], [4, 89_900]), 89_900)).toBe(
      'It usually costs $849.00; this price is higher than on 86 of the 90 days that we saw it on offer in the last 90.',
    );
    expect(sentence(usualOf([30, 50_000], [20, 84_900]), 84_900)).toContain(
      'this price is the same as on 20 of the 30 days',
    );
    expect(sentence(usualOf([30, 84_900]), 84_900)).toContain('the same as on all the 30 days');
  });

  test('shows the usual price next to a low, and instead of the distance to the low', () => {
    const fell = usualOf([88, 2499], [5, 1999]);
    expect(judged(fell)?.proof).toMatchObject({
      text: 'Lowest ever seen',
      usual: 'usually $24.99',
    });
    const above = { lowestEver: 900, lowestBefore: 900, lowest90: 900, lowest30: 900 };
    const between = usualOf([88, 2500], [20, 900], [5, 1999]);
    expect(judged(between, above)?.proof).toMatchObject({
      kind: 'above-low',
      text: 'Lower than on 68 of 88 days',
      usual: 'usually $25',
    });
    expect(judged(null, above)?.proof).toMatchObject({ text: '$10.99 above its low', usual: null });
  });

  test('does not call a constant price a low', () => {
    const lows = { lowestEver: 900, lowestBefore: 900 };
    expect(judged(usualOf([90, 1999]), lows)?.proof).toMatchObject({
      kind: 'steady',
      text: 'Same price for 90 days',
      usual: null,
    });
  });

  test('shows no usual price for an expired deal', () => {
    const fell = usualOf([88, 2499], [5, 1999]);
    expect(judged(fell)?.usual).toMatchObject({ price: 2499, days: 88, higher: 83 });
    const over = judged(fell, {}, { is_expired: true });
    expect([over?.usual, over?.proof.usual]).toEqual([null, null]);
  });

  test('describes the usual price in a full sentence on the deal’s page, next to a low or instead of it', () => {
    const full = (...facts: Parameters<typeof judged>) => {
      const price = judged(...facts);
      return price && inFull(price);
    };
    const fell = usualOf([88, 2499], [5, 1999]);
    const sentence = judged(fell)?.usual?.sentence;
    expect(full(fell)).toMatchObject({ text: 'Lowest ever seen', usual: sentence });
    const above = { lowestEver: 900, lowestBefore: 900, lowest90: 900, lowest30: 900 };
    expect(full(fell, above)).toMatchObject({ text: sentence, usual: null });
    expect(full(null)).toMatchObject({ text: 'Lowest ever seen', usual: null });
  });

  test('includes the usual price in the line of an email', () => {
    expect(inOneLine({ text: 'Lowest in 87 days', usual: 'usually $25' })).toBe(
      'Lowest in 87 days, usually $25',
    );
    expect(inOneLine({ text: 'No history yet', usual: null })).toBe('No history yet');
  });
});

describe('the sparkline', () => {
  test('draws no sparkline for fewer than two prices', () => {
    expect(sparklinePath([], now)).toBeNull();
    expect(sparklinePath([{ at: daysAgo(3), price: 100 }], now)).toBeNull();
  });

  test('draws a step down for a lower price, and ends a sparkline at the current one', () => {
    const points = [
      { at: daysAgo(90), price: 200 },
      { at: daysAgo(45), price: 100 },
    ];
    expect(sparklinePath(points, now)).toBe('M2 2H32V16H62');
  });

  test('draws a flat sparkline at the bottom for equal prices', () => {
    const points = [
      { at: daysAgo(90), price: 100 },
      { at: daysAgo(45), price: 100 },
    ];
    expect(sparklinePath(points, now)).toBe('M2 16H32V16H62');
  });
});
