import type { Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { strangerKey } from '#app/platform/address-key.ts';

/**
 * Limits simultaneous connections per public address (for IPv6, per /48), so that no client can use
 * them all. Private addresses and trusted proxies are not limited. Returns whether the connection
 * is accepted; otherwise closes it.
 */
export function shareConnections(
  most: number,
  isTrusted: (address: string) => boolean,
): (socket: Socket) => boolean {
  const open = new Map<string, number>();
  return (socket) => {
    const address = socket.remoteAddress ?? '';
    if (!isOfInternet(address) || isTrusted(address)) return true;
    const key = strangerKey(address);
    const held = open.get(key) ?? 0;
    if (held >= most) {
      socket.destroy();
      return false;
    }
    open.set(key, held + 1);
    socket.once('close', () => {
      const left = (open.get(key) ?? 1) - 1;
      if (left > 0) open.set(key, left);
      else open.delete(key);
    });
    return true;
  };
}

function isOfInternet(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';
}
