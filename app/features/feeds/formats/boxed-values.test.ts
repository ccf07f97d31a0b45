import { expect, test } from 'vitest';
import { readFeed } from './read-feed.server.ts';

const sizeLimits = { rawBytes: 1_000_000, unpackedBytes: 1_000_000 };

async function firstRow(text: string) {
  async function* chunks() {
    yield Buffer.from(text);
  }
  const { rows } = await readFeed(chunks(), { sizeLimits });
  const { value } = await rows.next();
  await rows.return(undefined);
  return value?.values;
}

test.each([
  [
    'elements',
    '<shop><product><id>1</id><title>A <b>fine</b> cup</title><link>https://x.example/1</link><brand><id>3</id><name>Acme</name></brand><price><current>5</current><old>8</old></price><images><image>https://x.example/a.jpg</image><image>https://x.example/b.jpg</image></images><categories><category>Home</category><category>Pots</category></categories></product></shop>',
  ],
  [
    'keys',
    '{"data":{"list":[{"id":1,"title":"A fine cup","link":"https://x.example/1","brand":{"id":3,"name":"Acme"},"price":{"current":5,"old":8},"images":[{"src":"https://x.example/a.jpg"}],"categories":[{"name":"Home"}]}]}}',
  ],
])('keeps values inside %s separate', async (_kind, text) => {
  expect(await firstRow(text)).toMatchObject({
    external_id: '1',
    title: 'A fine cup',
    deal_url: 'https://x.example/1',
    sale_price: '5',
    original_price: '8',
    brand: 'Acme',
    image_url: expect.stringContaining('https://x.example/a.jpg') as string,
    category: expect.stringContaining('Home') as string,
  });
});
