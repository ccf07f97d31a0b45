import { describe, expect, it } from 'vitest';
import { readEnv } from '#app/platform/env.server.ts';

describe('the environment', () => {
  it('needs no setting at all', () => {
    expect(readEnv({})).toMatchObject({
      nodeEnv: 'production',
      port: 3000,
      host: '127.0.0.1',
      origin: 'http://localhost:3000',
      databaseUrl: null,
      dataDir: './data',
      seed: 'demo',
      trustedProxies: [],
      allowedHosts: ['localhost', '127.0.0.1', '[::1]'],
      pageCacheMb: 64,
    });
  });

  it('takes an empty variable for unset', () => {
    expect(readEnv({ PORT: '', ORIGIN: ' ' }).origin).toBe('http://localhost:3000');
  });

  it('tells everything that is wrong in one error, with what is allowed', () => {
    const read = () =>
      readEnv({
        PORT: '99999',
        ORIGIN: 'https://deals.example/shop',
        SEED: 'lots',
        TRUSTED_PROXIES: '10.0.0.0/8, nonsense',
        DATABASE_URL: 'mysql://root:hunter2@db/x',
      });
    let message = '';
    try {
      read();
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toContain('PORT is "99999": it must be a whole number from 1 to 65535.');
    expect(message).toContain('ORIGIN is "https://deals.example/shop": it must be scheme, host');
    expect(message).toContain('SEED is "lots": it must be one of demo, none.');
    expect(message).toContain('TRUSTED_PROXIES is');
    expect(message).toContain('DATABASE_URL is not usable: it must be like postgres://');
    expect(message).not.toContain('hunter2');
    expect(message.split('\n')).toHaveLength(6);
  });

  it('listens on all addresses only where visitors come without a proxy', () => {
    expect(readEnv({ ORIGIN: 'http://192.168.1.5:3000' }).host).toBe('0.0.0.0');
    expect(readEnv({ ORIGIN: 'https://deals.example' }).host).toBe('127.0.0.1');
    expect(readEnv({ ORIGIN: 'http://192.168.1.5:3000', HOST: '::1' }).host).toBe('::1');
  });

  it('writes the origin one way', () => {
    expect(readEnv({ ORIGIN: 'HTTPS://Deals.Example:443/' }).origin).toBe('https://deals.example');
  });

  it('answers for the hosts that are named', () => {
    const { allowedHosts } = readEnv({ ALLOWED_HOSTS: 'Deals.example, www.deals.example' });
    expect(allowedHosts).toEqual(['deals.example', 'www.deals.example']);
  });
});
