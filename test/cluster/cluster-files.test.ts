import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { expect, it } from 'vitest';
import { readEnv } from '#app/platform/env.server.ts';

const docs = fileURLToPath(new URL('../../docs', import.meta.url));
const file = (name: string) => readFileSync(path.join(docs, name), 'utf8');
const addressesIn = (text: string) => new Set(text.match(/\b10\.0\.0\.\d+\b(?!\/\d)/g));

it('parses the settings of the example cluster', () => {
  const env = readEnv({ ...parseEnv(file('cluster/site.env')), NODE_ENV: 'production' });
  expect(new URL(env.databaseUrl ?? '').port).toBe('6432');
  expect(new URL(env.databaseUrlDirect ?? '').port).toBe('5432');
  expect(env.standbyUrls.map((url) => new URL(url).hostname)).toEqual([
    '10.0.0.21',
    '10.0.0.22',
    '10.0.0.23',
  ]);
});

it('names the same servers in all files of the example cluster', () => {
  const ofDatabase = addressesIn(file('cluster/site.env').split('DATABASE_URL_READ')[1] ?? '');
  ofDatabase.delete('10.0.0.10');
  expect(addressesIn(file('cluster/patroni.yml'))).toEqual(ofDatabase);
  expect(addressesIn(file('cluster/etcd.conf').split('INITIAL_CLUSTER=')[1] ?? '')).toEqual(
    ofDatabase,
  );
  const [visitors = '', database = ''] = file('cluster/haproxy.cfg').split('listen database');
  const own = '10.0.0.10';
  expect(addressesIn(database)).toEqual(new Set([own, ...ofDatabase]));
  const watched = addressesIn(file('prometheus/prometheus.yml'));
  expect(new Set([own, ...watched])).toEqual(
    new Set([...addressesIn(visitors), '10.0.0.14', '10.0.0.15']),
  );
});

const program = (name: string) => spawnSync(name, ['-v']).error === undefined;

it.runIf(program('haproxy'))('passes haproxy’s check of its configuration', () => {
  const checked = spawnSync('haproxy', ['-c', '-f', path.join(docs, 'cluster/haproxy.cfg')]);
  expect([checked.status, String(checked.stderr)]).toEqual([0, '']);
});

it.runIf(program('promtool'))('passes Prometheus’s check of its configuration', () => {
  const config = path.join(docs, 'prometheus/prometheus.yml');
  const checked = spawnSync('promtool', ['check', 'config', config], { encoding: 'utf8' });
  expect([checked.status, checked.stderr]).toEqual([0, '']);
});
