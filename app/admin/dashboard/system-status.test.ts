import { createElement } from 'react';
import { expect, test } from 'vitest';
import { render, textOf } from '#test/render-component.tsx';
import { SystemStatus } from './dashboard-panels.tsx';

const well = [
  { name: 'Disk', state: 'ok', detail: '9 GB free' },
  { name: 'Mail', state: 'ok', detail: 'Sends by SMTP' },
] as const;

test('collapses System Status into one line when every check passed', () => {
  const html = render(createElement(SystemStatus, { results: well }));
  expect(html).toContain('<details');
  expect(html).not.toContain('<details open');
  const summary = html.slice(html.indexOf('<summary'), html.indexOf('</summary>'));
  expect(textOf(summary)).toContain('System Status');
  expect(textOf(summary)).toContain('All 2 checks passed');
  expect(summary).not.toContain('9 GB free');
  expect(html).toContain('9 GB free');
});

test('expands the list of checks when one has a note or a problem', () => {
  for (const state of ['warning', 'problem'] as const) {
    const results = [...well, { name: 'Backups', state, detail: 'No backup yet' }];
    const html = render(createElement(SystemStatus, { results }));
    expect(html).not.toContain('<details');
    expect(html).toContain('No backup yet');
    expect(html).toContain('9 GB free');
  }
});
