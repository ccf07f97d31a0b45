import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { shareConnections } from './connection-shares.ts';

class FakeSocket extends EventEmitter {
  readonly remoteAddress: string;
  constructor(remoteAddress: string) {
    super();
    this.remoteAddress = remoteAddress;
  }
  destroy() {
    this.emit('close');
  }
}

const from = (address: string) => new FakeSocket(address) as unknown as Socket;
const isProxy = (address: string) => address === '8.8.4.4';

// Proves R24: connections (connection-shares.ts)
describe('R24: connections from one IP address', () => {
  test('R24: limits the connections from one IP address, and accepts new ones once others close', () => {
    const mayStay = shareConnections(2, isProxy);
    const first = from('8.8.8.7');
    expect([first, from('8.8.8.7')].map(mayStay)).toEqual([true, true]);
    expect(mayStay(from('8.8.8.7'))).toBe(false);
    expect(mayStay(from('::ffff:8.8.8.7'))).toBe(false);
    expect(mayStay(from('8.8.8.9'))).toBe(true);
    first.destroy();
    expect(['8.8.8.7', '8.8.8.7'].map((one) => mayStay(from(one)))).toEqual([true, false]);
  });

  test('R24: counts all connections from an IPv6 /48 together', () => {
    const mayStay = shareConnections(1, isProxy);
    const addresses = ['2600:1:2:3::1', '2600:1:2:ffff::2', '2600:1:3::1'];
    expect(addresses.map((one) => mayStay(from(one)))).toEqual([true, false, true]);
  });

  test.each(['127.0.0.1', '::1', '10.1.2.3', '192.168.0.9', 'fd00::1', '8.8.4.4'])(
    'R24: does not count connections for %s',
    (address) => {
      const mayStay = shareConnections(1, isProxy);
      expect([1, 2, 3].map(() => mayStay(from(address)))).toEqual([true, true, true]);
    },
  );
});
