import { describe, expect, test } from 'vitest';
import { insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { assert, asyncProperty, constantFrom, integer } from '#test/fast-check.ts';
import { testOrigin } from '#test/origin.ts';
import { testSite } from '#test/site.ts';
import { addSubId } from './add-sub-id.ts';
import { type NetworkId, networkIds, networkOf, recogniseNetwork } from './affiliate-networks.ts';
import { type ClickSource, readClickSource, withSource } from './click-source.ts';
import { decodeSubId, encodeSubId, type NamedClick } from './sub-id.server.ts';

const database = useTestDatabase();
const click: NamedClick = {
  target: { kind: 'deal', id: 123_456 },
  source: { channel: 'newsletter', newsletterId: 42 },
  day: '2026-11-21',
};

/** An example link of each network, and the same link with the sub-id `x1`. */
const links: Record<NetworkId, [string, string]> = {
  awin: [
    'https://www.awin1.com/cread.php?awinmid=1&awinaffid=2&ued=https%3A%2F%2Fs.example%2Fa%20b',
    'https://www.awin1.com/cread.php?awinmid=1&awinaffid=2&ued=https%3A%2F%2Fs.example%2Fa%20b&clickref=x1',
  ],
  cj: [
    'https://www.anrdoezrs.net/click-100-200?url=https%3A%2F%2Fs.example',
    'https://www.anrdoezrs.net/click-100-200?url=https%3A%2F%2Fs.example&sid=x1',
  ],
  rakuten: [
    'https://click.linksynergy.com/deeplink?id=a&mid=1&murl=https%3A%2F%2Fs.example',
    'https://click.linksynergy.com/deeplink?id=a&mid=1&murl=https%3A%2F%2Fs.example&u1=x1',
  ],
  impact: ['https://go.brand.example/c/1/2/3', 'https://go.brand.example/c/1/2/3?subId1=x1'],
  shareasale: [
    'https://shareasale.com/r.cfm?b=1&u=2&m=3&afftrack=#top',
    'https://shareasale.com/r.cfm?b=1&u=2&m=3&afftrack=x1#top',
  ],
  tradedoubler: [
    'https://clk.tradedoubler.com/click?p=1&a=2&url=https%3A%2F%2Fs.example',
    'https://clk.tradedoubler.com/click?p=1&a=2&url=https%3A%2F%2Fs.example&epi=x1',
  ],
  admitad: [
    'https://ad.admitad.com/g/abcdef0123456789/?ulp=https%3A%2F%2Fs.example',
    'https://ad.admitad.com/g/abcdef0123456789/?ulp=https%3A%2F%2Fs.example&subid=x1',
  ],
};

describe('addSubId', () => {
  test.each(networkIds)('adds the parameter of %s and changes nothing else', (id) => {
    const [link, expected] = links[id];
    expect(recogniseNetwork(link)).toBe(id);
    expect(addSubId(link, id, 'x1')).toBe(expected);
    expect(addSubId(expected, id, 'y2')).toBe(expected);
    expect(addSubId(link, id, 'x'.repeat(networkOf(id).mostCharacters + 1))).toBe(link);
  });

  test('leaves links in a special format or with the owner’s sub-id unchanged', () => {
    const old = 'https://clk.tradedoubler.com/click?p(1)a(2)g(3)url(https://s.example)';
    expect(addSubId(old, 'tradedoubler', 'x1')).toBe(old);
    const own = 'https://www.awin1.com/cread.php?clickref=mine&awinmid=1';
    expect(addSubId(own, 'awin', 'x1')).toBe(own);
    const deep = 'https://www.jdoqocy.com/links/1/type/dlg/https://s.example/?a=1';
    const named = 'https://www.jdoqocy.com/links/1/type/dlg/sid/x1/https://s.example/?a=1';
    expect(addSubId(deep, 'cj', 'x1')).toBe(named);
    expect(addSubId(named, 'cj', 'y2')).toBe(named);
  });

  test('does not recognize a network by a host that merely contains its name', () => {
    expect(recogniseNetwork('https://notawin1.com/cread.php')).toBeNull();
    expect(recogniseNetwork('https://shop.example/?u=awin1.com')).toBeNull();
    // Partnerize links end with the store's URL, which an added parameter would change.
    expect(
      recogniseNetwork('https://prf.hn/click/camref:1a/destination:https://s.example/a'),
    ).toBeNull();
  });
});

describe('encodeSubId', () => {
  test('encodes deal, newsletter and day in a few letters and digits that identify no one', async () => {
    const subId = await encodeSubId(database.db, click);
    expect(subId).toMatch(/^[0-9a-z]{12,40}$/);
    expect(await encodeSubId(database.db, click)).toBe(subId);
    expect(await decodeSubId(database.db, ` ${subId.toUpperCase()} `)).toEqual(click);
  });

  test('decodes every encoded target and source unchanged', async () => {
    const sources = (id: number): ClickSource[] => [
      { channel: 'site', newsletterId: null, slotId: id },
      { channel: 'newsletter', newsletterId: id, link: 1 + (id % 9_999) },
      { channel: 'newsletter', newsletterId: id },
    ];
    const targets = constantFrom('deal', 'coupon', 'link');
    const channels = constantFrom('site', 'feed', 'mail', 'elsewhere');
    await assert(
      asyncProperty(
        targets,
        channels,
        integer({ min: 1, max: 2 ** 45 }),
        async (kind, channel, id) => {
          const named: NamedClick = {
            target: kind === 'link' ? { kind } : { kind, id },
            source: sources(id)[id % 4] ?? { channel, newsletterId: null },
            day: '2027-02-28',
          };
          const subId = await encodeSubId(database.db, named);
          expect(subId.length).toBeLessThanOrEqual(50);
          expect(await decodeSubId(database.db, subId)).toEqual(named);
        },
      ),
    );
  });

  test('does not decode a sub-id that was altered or comes from another site', async () => {
    const subId = await encodeSubId(database.db, click);
    for (let at = 0; at < subId.length; at += 1) {
      const other = subId[at] === '1' ? '2' : '1';
      const forged = subId.slice(0, at) + other + subId.slice(at + 1);
      expect([at, await decodeSubId(database.db, forged)]).toEqual([at, null]);
    }
    for (const foreign of ['', 'h', 'site-12', 'hs0d112ab00000000', 'x'.repeat(200)]) {
      expect(await decodeSubId(database.db, foreign)).toBeNull();
    }
  });
});

test('reads the source of a click from the page that contains the link', () => {
  const at = (page: string | null) => readClickSource(page, testOrigin).channel;
  expect(at(`${testOrigin}/deals`)).toBe('site');
  expect(at(`${testOrigin}/deals/a?from=feed`)).toBe('feed');
  expect(at(`${testOrigin}/deals/a?from=newsletter-x`)).toBe('site');
  expect(at('https://other.example/deals/a?from=feed')).toBe('elsewhere');
  expect(at(null)).toBe('elsewhere');
  expect(readClickSource(`${testOrigin}/deals/a?x=1&from=newsletter-7`, testOrigin)).toEqual({
    channel: 'newsletter',
    newsletterId: 7,
  });
  const from = (value: string) => readClickSource(`${testOrigin}/deals?from=${value}`, testOrigin);
  expect(from('newsletter-7-3')).toEqual({ channel: 'newsletter', newsletterId: 7, link: 3 });
  expect(from('slot-4')).toEqual({ channel: 'site', newsletterId: null, slotId: 4 });
  for (const value of ['slot-x', 'slot-4-1', 'newsletter-7-12345', 'newsletter-7-'])
    expect(from(value)).toEqual({ channel: 'site', newsletterId: null });
});

test('adds the source to pages of deals and to links to stores', () => {
  expect(withSource('/deals/a?x=1#y', 'newsletter-7-3')).toBe('/deals/a?x=1&from=newsletter-7-3#y');
  expect(withSource('/out/12', 'slot-4')).toBe('/out/12?from=slot-4');
  for (const path of ['/blog', '/outlet']) expect(withSource(path, 'slot-4')).toBe(path);
});

const anAd = { kind: 'ad', place: 'home', title: 'Lamps', is_on: true } as const;

describe('/out', () => {
  const out = async (id: number, referer: string) => {
    const answer = await testSite(database).request(`/out/${id}`, { headers: { referer } });
    return new URL(answer.headers.get('location') ?? '');
  };
  const affiliate_template = 'https://www.awin1.com/cread.php?awinmid=1&awinaffid=2&ued={url}';

  test('adds the deal and the newsletter to the link to the network', async () => {
    const merchant = await insertMerchant(database.db, { affiliate_template });
    const deal = await insertDeal(database.db, { merchant_id: merchant.id });
    const url = await out(deal.id, `${testOrigin}/deals/${deal.slug}?from=newsletter-9`);
    const named = await decodeSubId(database.db, url.searchParams.get('clickref') ?? '');
    expect(named?.target).toEqual({ kind: 'deal', id: deal.id });
    expect(named?.source).toEqual({ channel: 'newsletter', newsletterId: 9 });
  });

  test('adds the clicked newsletter link or ad', async () => {
    const { db } = database;
    const merchant = await insertMerchant(db, { affiliate_template });
    const deal = await insertDeal(db, { merchant_id: merchant.id });
    const { id: newsletterId } = await db
      .insertInto('newsletters')
      .values({ subject: 'Lamps', content: '' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const hrefs = [`/deals/${deal.slug}`, affiliate_template, 'https://shop.example/'];
    const targets = hrefs.map((href, at) => ({ href, position: at + 1 }));
    await db
      .insertInto('newsletter_links')
      .values(targets.map((link) => ({ ...link, newsletter_id: newsletterId, label: 'a' })))
      .execute();
    const slots = await db
      .insertInto('slots')
      .values([...hrefs, `/out/${deal.id}`].map((url) => ({ ...anAd, url })))
      .returning('id')
      .execute();
    const [toDeal = 0, toNetwork = 0, toStore = 0, toOut = 0] = slots.map(({ id }) => id);
    const follow = async (path: string) => {
      const answer = await testSite(database).request(path);
      return answer.headers.get('location') ?? '';
    };
    const namedBy = async (path: string) => {
      const subId = new URL(await follow(path)).searchParams.get('clickref') ?? '';
      return decodeSubId(db, subId);
    };
    const link = (position: number) => `/out/newsletter/${newsletterId}/${position}`;
    expect(await follow(link(1))).toBe(`/deals/${deal.slug}?from=newsletter-${newsletterId}-1`);
    expect(await namedBy(link(2))).toMatchObject({
      target: { kind: 'link' },
      source: { channel: 'newsletter', newsletterId, link: 2 },
    });
    expect(await follow(link(3))).toBe('https://shop.example/');
    expect(await follow(`/out/slot/${toDeal}`)).toBe(`/deals/${deal.slug}?from=slot-${toDeal}`);
    expect(await namedBy(`/out/slot/${toNetwork}`)).toMatchObject({
      target: { kind: 'link' },
      source: { channel: 'site', slotId: toNetwork },
    });
    expect(await follow(`/out/slot/${toStore}`)).toBe('https://shop.example/');
    expect(await namedBy(await follow(`/out/slot/${toOut}`))).toMatchObject({
      target: { kind: 'deal', id: deal.id },
      source: { channel: 'site', slotId: toOut },
    });
  });

  test('uses the referring page if another site added its own `from` to the link', async () => {
    const merchant = await insertMerchant(database.db, { affiliate_template });
    const { id } = await insertDeal(database.db, { merchant_id: merchant.id });
    const answer = await testSite(database).request(`/out/${id}?from=partner`);
    const subId = new URL(answer.headers.get('location') ?? '').searchParams.get('clickref');
    expect((await decodeSubId(database.db, subId ?? ''))?.source.channel).toBe('elsewhere');
  });

  test('does not add a sub-id to links of a store that forbids it, or of a store without a network', async () => {
    const off = await insertMerchant(database.db, { affiliate_template, sub_id_network: 'off' });
    const chosen = await insertMerchant(database.db, {
      affiliate_template: 'https://go.brand.example/x?u={url}',
      sub_id_network: 'impact',
    });
    const to = async (merchant_id: number) => {
      const deal = await insertDeal(database.db, { merchant_id, deal_url: 'https://s.example/p' });
      return (await out(deal.id, testOrigin)).href;
    };
    expect(await to(off.id)).toBe(
      affiliate_template.replace('{url}', 'https%3A%2F%2Fs.example%2Fp'),
    );
    expect(await to(chosen.id)).toContain('&subId1=h');
    expect(await to((await insertMerchant(database.db)).id)).toBe('https://s.example/p');
  });
});
