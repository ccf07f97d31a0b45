import { describe, expect, test } from 'vitest';
import { FeedError } from '#app/features/feeds/formats/feed-error.ts';
import { readCouponList } from './read-coupon-list.server.ts';

const sizeLimits = { rawBytes: 1_000_000, unpackedBytes: 1_000_000 };

function read(text: string) {
  async function* pieces() {
    yield Buffer.from(text);
  }
  return readCouponList(pieces(), { timeZone: 'UTC', sizeLimits });
}

describe('the lists of networks', () => {
  test('recognizes coupon lists that LinkMyDeals exports', async () => {
    const { lines, withoutCode } = await read(
      'lmd_id,store,merchant_homepage,long_offer,title,description,code,terms_and_conditions,categories,featured,url,smartlink,image_url,type,offer,status,start_date,end_date\n' +
        '1,Lamp House,https://lamps.example,,"20% off, all lamps",On every lamp,LAMP20,New customers only,Home,No,https://lamps.example/sale,https://lmd.example/go/1,,Code,Percentage Off,active,2026-11-01,2026-12-31\n' +
        '2,Lamp House,https://lamps.example,,Old one,,OLD,,Home,No,,,,Code,,suspended,2026-01-01,2026-02-01\n' +
        '3,Lamp House,https://lamps.example,,Free shipping,,,,Home,No,https://lamps.example,,,Deal,,active,,\n',
    );
    expect(withoutCode).toBe(1);
    expect(lines).toEqual([
      {
        line: 2,
        store: 'Lamp House',
        coupon: {
          code: 'LAMP20',
          title: '20% off, all lamps',
          terms: 'On every lamp\nNew customers only',
          url: 'https://lmd.example/go/1',
          starts_at: new Date('2026-11-01T00:00:00Z'),
          ends_at: new Date('2026-12-31T23:59:59Z'),
        },
      },
    ]);
  });

  test('recognizes coupon lists that Awin exports as promotions', async () => {
    const { lines } = await read(
      '"Promotion ID","Advertiser","Advertiser ID","Type","Code","Description","Starts","Ends","Categories","Regions","Terms","Deeplink Tracking","Deeplink","Title"\n' +
        '"9","Chair Co","77","Vouchers Only","SIT5","&pound;5 off <b>chairs</b>","01/12/2026","31/12/2026","Home","GB","","https://awin.example/x?ued=https%3A%2F%2Fchairs.example","https://chairs.example","Five off"\n',
    );
    expect(lines[0]).toMatchObject({
      store: 'Chair Co',
      coupon: {
        code: 'SIT5',
        title: 'Five off',
        terms: '£5 off chairs',
        url: 'https://awin.example/x?ued=https%3A%2F%2Fchairs.example',
        starts_at: new Date('2026-12-01T00:00:00Z'),
        ends_at: new Date('2026-12-31T23:59:59Z'),
      },
    });
  });

  test('recognizes coupon lists that CJ exports as links', async () => {
    const { lines, withoutCode } = await read(
      'ADVERTISER NAME\tLINK NAME\tDESCRIPTION\tCLICK URL\tCOUPON CODE\tPROMOTION START DATE\tPROMOTION END DATE\n' +
        'Desk Shop\t15% off desks\t\thttps://cj.example/1\tDESK15\t12/01/2026\t12/24/2026\n' +
        'Desk Shop\tBanner\t\thttps://cj.example/2\tNo code needed\t\t\n',
    );
    expect(withoutCode).toBe(1);
    expect(lines[0]).toMatchObject({
      store: 'Desk Shop',
      coupon: { code: 'DESK15', ends_at: new Date('2026-12-24T23:59:59Z') },
    });
  });
});

describe('the coupon lists from networks’ APIs', () => {
  test('reads coupons that LinkMyDeals sends as JSON', async () => {
    const offer = { store: 'Lamp House', url: 'https://lamps.example', image_url: '' };
    const { lines, withoutCode } = await read(
      JSON.stringify({
        result: true,
        offers: [
          {
            lmd_id: 1,
            ...offer,
            title: '20% off',
            code: 'LAMP20',
            smartlink: 'https://lmd.example/go/1',
            status: 'active',
            start_date: '2026-11-01',
            end_date: '2026-12-31',
          },
          { lmd_id: 2, ...offer, title: 'Old one', code: 'OLD', status: 'suspended' },
          { lmd_id: 3, ...offer, title: 'Free shipping', code: '', status: 'active' },
        ],
      }),
    );
    expect(withoutCode).toBe(1);
    expect(lines).toMatchObject([
      { store: 'Lamp House', coupon: { code: 'LAMP20', url: 'https://lmd.example/go/1' } },
    ]);
  });

  // http://wiki.awin.com/index.php/API_Post_Offers: the code is an object, and one of the two links
  // earns commission.
  test('reads promotions that Awin sends as JSON', async () => {
    const { lines } = await read(
      JSON.stringify({
        data: [
          {
            promotionId: 7,
            advertiser: { id: 5, name: 'Desk Shop' },
            title: '£10 off desks',
            terms: 'Min £100',
            startDate: '2026-01-01T00:00:00',
            endDate: '2026-12-31T23:59:00',
            url: 'https://desks.example',
            urlTracking: 'https://awin.example/x',
            voucher: { code: 'DESK10', exclusive: false },
          },
        ],
      }),
    );
    expect(lines).toMatchObject([
      {
        store: 'Desk Shop',
        coupon: {
          code: 'DESK10',
          url: 'https://awin.example/x',
          ends_at: new Date('2026-12-31T23:59:00Z'),
        },
      },
    ]);
  });

  // https://dev.commissionfactory.com/V1/Affiliate/Types/CouponArray/: an array at the top level.
  test('reads coupons that Commission Factory sends as JSON', async () => {
    const { lines } = await read(
      JSON.stringify([
        {
          Id: 1,
          MerchantName: 'Pen Shop',
          Description: '10% off pens',
          Code: 'TENOFF',
          TargetUrl: 'https://pens.example/',
          TermsAndConditions: 'Not with other offers.',
          StartDate: null,
          EndDate: null,
          TrackingUrl: 'https://factory.example/c/1',
        },
      ]),
    );
    expect(lines).toMatchObject([
      {
        store: 'Pen Shop',
        coupon: {
          code: 'TENOFF',
          title: '10% off pens',
          terms: 'Not with other offers.',
          url: 'https://factory.example/c/1',
          ends_at: null,
        },
      },
    ]);
  });

  // https://docs.cj.com/docs/link-search: an element for each link.
  test('reads links that CJ sends as XML', async () => {
    const link = (name: string, code: string) =>
      `<link><advertiser-name>Chair Co</advertiser-name><link-id>${name.length}</link-id><link-name>${name}</link-name>` +
      `<destination>https://chairs.example/</destination><coupon-code>${code}</coupon-code>` +
      `<promotion-end-date>2026-12-31 23:59:00.0</promotion-end-date><clickUrl>https://cj.example/1</clickUrl></link>`;
    const { lines, withoutCode } = await read(
      `<?xml version="1.0"?><cj-api><links total-matched="2">${link('5% off chairs', 'SIT5')}${link('A sale', '')}</links></cj-api>`,
    );
    expect(withoutCode).toBe(1);
    expect(lines).toMatchObject([
      {
        store: 'Chair Co',
        coupon: {
          code: 'SIT5',
          title: '5% off chairs',
          url: 'https://cj.example/1',
          ends_at: new Date('2026-12-31T23:59:00Z'),
        },
      },
    ]);
  });
});

test('names the error of each row of a coupon list', async () => {
  const { lines } = await read(
    'store;code;title;ends;url\n' +
      'A;ONE;;;\nA;TWO;Two;someday;\nA;THREE;Three;;not an address\n' +
      `A;${'X'.repeat(65)};Long;;\nA;FIVE;Five;03/04/2026;\nA;SIX;Six;;https://a.example\n`,
  );
  expect(lines.map((row) => ('problem' in row ? row.problem : row.coupon.code))).toEqual([
    'the title is missing',
    '“someday” is not a date; write it like 2026-12-31',
    'the link is not a valid URL',
    'the code is longer than 64 characters',
    '“03/04/2026” is not a date; write it like 2026-12-31',
    'SIX',
  ]);
});

test('uses the description when a coupon’s row has no title', async () => {
  const { lines } = await read('store,code,description\nA,ONE,Free pens with every order\n');
  expect(lines[0]).toMatchObject({ coupon: { title: 'Free pens with every order', terms: '' } });
});

test.each(['{"result":false,"message":"invalid key"}', '<html><body>Busy</body></html>', ''])(
  'rejects a response without coupons: %s',
  async (text) => {
    await expect(read(text)).rejects.toThrow(FeedError);
  },
);

test('rejects a list without a column of coupon codes', async () => {
  await expect(read('title,price,url\nLamp,9.99,https://a.example\n')).rejects.toThrow(
    'no column of coupon codes was found',
  );
});
