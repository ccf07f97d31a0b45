import { describe, expect, test } from 'vitest';
import { readCouponList } from './read-coupon-list.server.ts';

const sizeLimits = { rawBytes: 1_000_000, unpackedBytes: 1_000_000 };

function read(text: string) {
  async function* pieces() {
    yield Buffer.from(text);
  }
  return readCouponList(pieces(), { timeZone: 'UTC', sizeLimits });
}

describe('the lists of networks', () => {
  test('recognises coupon lists that LinkMyDeals exports', async () => {
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

  test('recognises coupon lists that Awin exports as promotions', async () => {
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

  test('recognises coupon lists that CJ exports as links', async () => {
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

test('names the error of each row of a coupon list', async () => {
  const { lines } = await read(
    'store;code;title;ends;url\n' +
      'A;ONE;;;\nA;TWO;Two;someday;\nA;THREE;Three;;not an address\n' +
      `A;${'X'.repeat(65)};Long;;\nA;FIVE;Five;03/04/2026;\nA;SIX;Six;;https://a.example\n`,
  );
  expect(lines.map((row) => ('problem' in row ? row.problem : row.coupon.code))).toEqual([
    'the title is missing',
    '“someday” is no date; write it like 2026-12-31',
    'the link is not a valid URL',
    'the code is longer than 64 characters',
    '“03/04/2026” is no date; write it like 2026-12-31',
    'SIX',
  ]);
});

test('uses the description when a coupon’s row has no title', async () => {
  const { lines } = await read('store,code,description\nA,ONE,Free pens with every order\n');
  expect(lines[0]).toMatchObject({ coupon: { title: 'Free pens with every order', terms: '' } });
});

test('rejects a list without a column of coupon codes', async () => {
  await expect(read('title,price,url\nLamp,9.99,https://a.example\n')).rejects.toThrow(
    'no column of codes was found',
  );
});
