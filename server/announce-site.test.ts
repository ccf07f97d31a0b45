import { expect, it } from 'vitest';
import { createLog } from '#app/platform/log.server.ts';
import { announceSite } from './announce-site.ts';

const facts = [
  ['address', 'Address', 'https://deals.test'],
  ['setupLink', 'Create your account', 'https://deals.test/setup?token=abc'],
] as const;

function announced(level: string, isTTY?: boolean): string {
  const written: string[] = [];
  const channel = { isTTY, write: (text: string) => void written.push(text) };
  announceSite(facts, createLog(level, channel), channel);
  return written.join('');
}

it('prints a box on a terminal', () => {
  expect(announced('info', true)).toBe(
    [
      '┌─────────────────────────────────────────────────────────┐',
      '│ Deal Hub is running                                     │',
      '│                                                         │',
      '│ Address              https://deals.test                 │',
      '│ Create your account  https://deals.test/setup?token=abc │',
      '└─────────────────────────────────────────────────────────┘\n',
    ].join('\n'),
  );
});

it.each(['info', 'error', 'silent'])(
  'writes one line of JSON to a pipe with LOG_LEVEL=%s',
  (level) => {
    const text = announced(level);
    expect(text.trimEnd().split('\n')).toHaveLength(1);
    expect(JSON.parse(text)).toMatchObject({
      level: 'info',
      address: 'https://deals.test',
      setupLink: 'https://deals.test/setup?token=abc',
      msg: 'Deal Hub is running',
    });
  },
);
