import { createElement } from 'react';
import { describe, expect, test } from 'vitest';
import { parseTableQuery, type TableSpec } from '#app/platform/table-query.ts';
import { render, tagsOf, textOf } from '#test/render-component.tsx';
import { type Column, DataTable } from './data-table.tsx';
import { describeRows } from './describe-rows.ts';
import { EmptyTable } from './empty-table.tsx';
import { readSelection } from './read-selection.ts';
import { RowMenu } from './row-menu.tsx';
import { RowName } from './row-name.tsx';
import { StatCards } from './stat-cards.tsx';
import { StatLine } from './stat-line.tsx';
import { TableFilters } from './table-filters.tsx';

interface Lamp {
  id: number;
  name: string;
  watts: number;
}

type Sort = 'name' | 'watts';
type Filter = 'state' | 'merchant' | 'from';

const spec: TableSpec<Sort, Filter> = {
  path: '/admin/lamps',
  sorts: ['name', 'watts'],
  defaultSort: 'name',
  filters: { state: ['on', 'off'], merchant: 'id', from: /^\d{4}-\d\d-\d\d$/ },
};
const columns: Column<Lamp, Sort>[] = [
  { label: 'Lamp', sort: 'name', cell: ({ name }) => name },
  { label: 'Watts', sort: 'watts', isNumber: true, cell: ({ watts }) => watts },
  { label: 'Note', cell: () => 'bright' },
];
const lamps: Lamp[] = [
  { id: 7, name: 'Desk <lamp>', watts: 5 },
  { id: 9, name: 'Floor lamp', watts: 40 },
];
const queryOf = (search = '') => parseTableQuery(spec, new URLSearchParams(search));
const attribute = (tag: string | undefined, name: string) =>
  new RegExp(`\\s${name}="([^"]*)"`, 'i').exec(tag ?? '')?.[1];
/** Returns the links that sort the rows, in the head and above the cards. */
const hrefsOf = (html: string) =>
  tagsOf(html, 'a').map((tag) => attribute(tag, 'href')?.replaceAll('&amp;', '&'));

function table({
  search = '',
  rows = lamps,
  total = rows.length,
  page = 1,
  pageCount = 1,
  more = {},
}: {
  search?: string;
  rows?: Lamp[];
  total?: number;
  page?: number;
  pageCount?: number;
  more?: Partial<Parameters<typeof DataTable<Lamp, Sort, Filter>>[0]>;
} = {}): string {
  return render(
    createElement(DataTable<Lamp, Sort, Filter>, {
      noun: { one: 'lamp', many: 'lamps' },
      spec,
      query: queryOf(search),
      page: { rows, total, page, pageCount },
      columns,
      idOf: ({ id }: Lamp) => id,
      nameOf: ({ name }: Lamp) => name,
      empty: createElement('p', {}, 'No lamps'),
      ...more,
    }),
    { path: `/admin/lamps${search && `?${search}`}` },
  );
}

describe('a table', () => {
  test('names each row by its first cell and each cell by its column, for narrow screens', () => {
    const html = table();
    const rowHeads = tagsOf(html, 'th').filter((tag) => attribute(tag, 'scope') === 'row');
    expect(rowHeads.map((tag) => attribute(tag, 'data-label'))).toEqual(['Lamp', 'Lamp']);
    expect(tagsOf(html, 'td').map((tag) => attribute(tag, 'data-label'))).toEqual([
      'Watts',
      'Note',
      'Watts',
      'Note',
    ]);
    expect(textOf(html)).toContain('Showing 2 lamps');
    expect(html).toContain('Desk &lt;lamp&gt;');
  });

  test('shows only the empty message when a table has no rows', () => {
    expect(table({ rows: [] })).toBe('<p>No lamps</p>');
  });

  test('makes rows reachable by shortcut keys but not by Tab', () => {
    const rows = tagsOf(table(), 'tr').filter((tag) => tag.includes('data-row'));
    expect(rows.map((tag) => attribute(tag, 'tabindex'))).toEqual(['-1', '-1']);
  });

  test('names the sorted column and offers the reverse order', () => {
    const sorted = table();
    const head = tagsOf(sorted, 'th').find((tag) => tag.includes('aria-sort'));
    expect(attribute(head, 'aria-sort')).toBe('ascending');
    expect(hrefsOf(sorted)).toContain('/admin/lamps?sort=-name');
    const turned = table({ search: 'sort=-name' });
    expect(turned).toContain('aria-sort="descending"');
    expect(hrefsOf(turned)).toContain('/admin/lamps');
  });

  test('sorts text A to Z and numbers largest first on the first click, from page one', () => {
    const html = table({ search: 'sort=watts&page=3&q=desk&state=on' });
    expect(hrefsOf(html)).toContain('/admin/lamps?q=desk&state=on');
    const byName = table({ search: 'page=3' });
    expect(hrefsOf(byName)).toContain('/admin/lamps?sort=-watts');
  });

  test('offers the same sort links when the table’s head is hidden', () => {
    const html = table({ search: 'sort=-watts' });
    const nav = /<nav[^>]*aria-label="Order".*?<\/nav>/s.exec(html)?.[0] ?? '';
    expect(hrefsOf(nav)).toEqual(['/admin/lamps', '/admin/lamps?sort=watts']);
    expect(tagsOf(nav, 'a').map((tag) => attribute(tag, 'aria-current'))).toEqual([
      undefined,
      'page',
    ]);
    expect(textOf(nav)).toContain('Watts ↓');
  });

  test('offers no sorting when no column supports it', () => {
    const plain: Column<Lamp, Sort>[] = [{ label: 'Lamp', cell: ({ name }) => name }];
    expect(table({ more: { columns: plain } })).not.toContain('aria-label="Order"');
  });

  test('links to a table’s other pages with its whole state', () => {
    const html = table({
      search: 'q=desk&merchant=4&page=2',
      total: 120,
      page: 2,
      pageCount: 3,
    });
    expect(textOf(html)).toContain('Showing 51–52 of 120 lamps');
    expect(hrefsOf(html)).toContain('/admin/lamps?q=desk&merchant=4');
    expect(hrefsOf(html)).toContain('/admin/lamps?q=desk&merchant=4&page=3');
  });

  test('shows an actions column only when rows have actions', () => {
    expect(textOf(table())).not.toContain('Actions');
    const html = table({ more: { renderMenu: ({ name }: Lamp) => `Menu of ${name}` } });
    expect(textOf(html)).toContain('Actions');
    expect(textOf(html)).toContain('Menu of Floor lamp');
  });
});

describe('a table with bulk changes', () => {
  const verbs = [
    { value: 'light', label: 'Light lamps' },
    { value: 'break', label: 'Break lamps', question: 'Are you sure you want to break {n}?' },
  ];
  const bulk = (more: object = {}) => table({ more: { bulk: { verbs, ...more } } });

  test('posts the selected rows without JavaScript through the bar’s form', () => {
    const html = bulk();
    const form = tagsOf(html, 'form').find((tag) => tag.includes('Selected lamps'));
    expect(attribute(form, 'method')).toBe('post');
    const boxes = tagsOf(html, 'input').filter((tag) => attribute(tag, 'name') === 'ids');
    expect(boxes.map((tag) => attribute(tag, 'value'))).toEqual(['7', '9']);
    expect(boxes.map((tag) => attribute(tag, 'form'))).toEqual([
      attribute(form, 'id'),
      attribute(form, 'id'),
    ]);
    expect(boxes.map((tag) => attribute(tag, 'aria-label'))).toEqual([
      'Select Desk &lt;lamp&gt;',
      'Select Floor lamp',
    ]);
    expect(html).toContain('name="intent" value="bulk"');
  });

  test('offers a bulk change on a button with verb and noun, and asks first if it has a question', () => {
    const html = bulk();
    const submits = tagsOf(html, 'button').filter((tag) => attribute(tag, 'type') === 'submit');
    expect(submits.map((tag) => attribute(tag, 'value'))).toEqual(['light', 'break']);
    const dialog = /<dialog.*?<\/dialog>/s.exec(html)?.[0] ?? '';
    expect(textOf(dialog)).toContain('Are you sure you want to break the selected lamps?');
    expect(dialog).toContain('value="break"');
    expect(dialog).not.toContain('value="light"');
    const opener = tagsOf(html, 'button').find((tag) => /show-modal/.test(tag));
    expect(attribute(opener, 'commandfor')).toBe(attribute(tagsOf(html, 'dialog')[0], 'id'));
  });

  test('shows the controls of a bulk change, and offers to select all only if there are more pages', () => {
    const html = bulk({ extra: createElement('select', { name: 'room' }) });
    expect(html).toContain('name="room"');
    expect(html).not.toContain('matching');
    expect(html).not.toContain('name="all"');
  });

  test('shows no checkboxes without bulk actions', () => {
    expect(table()).not.toContain('type="checkbox"');
  });
});

describe('an empty table', () => {
  const empty = (isFiltered: boolean) =>
    render(
      createElement(EmptyTable, {
        icon: 'tag',
        title: 'No lamps found',
        titleWhenNew: 'No lamps yet',
        isFiltered,
        path: spec.path,
        begin: { href: '/admin/lamps/new', label: 'Create First Lamp' },
        hint: 'Lamps make light.',
      }),
    );
  const linksOf = (html: string) => tagsOf(html, 'a').map((tag) => attribute(tag, 'href'));

  test('explains in an empty table what will appear there, and how to begin', () => {
    const html = empty(false);
    expect(textOf(html)).toBe('No lamps yet Lamps make light. Create First Lamp');
    expect(linksOf(html)).toEqual(['/admin/lamps/new']);
  });

  test('links to all rows when nothing matches, and offers to create none', () => {
    const html = empty(true);
    expect(textOf(html)).toContain('No lamps found Nothing matches.');
    expect(textOf(html)).toContain('Clear filters');
    expect(linksOf(html)).toEqual(['/admin/lamps']);
  });
});

describe('a posted selection', () => {
  const form = (fields: [string, string][]) => {
    const data = new FormData();
    for (const [name, value] of fields) data.append(name, value);
    return data;
  };

  test('reads the selected rows, each once', () => {
    const ticked = form([
      ['ids', '3'],
      ['ids', '12'],
      ['ids', '3'],
    ]);
    expect(readSelection(ticked)).toEqual({ ids: [3, 12] });
    expect(readSelection(form([]))).toEqual({ ids: [] });
  });

  test('selects all rows, up to the number shown, regardless of the checkboxes sent', () => {
    const all = form([
      ['all', '1'],
      ['expected', '412'],
      ['ids', '3'],
    ]);
    expect(readSelection(all)).toEqual({ expectedCount: 412 });
  });

  test.each([
    [[['ids', 'x']]],
    [[['ids', '0']]],
    [[['ids', '-4']]],
    [[['ids', '1e3']]],
    [[['all', '1'] as const, ['expected', 'many'] as const]],
    [[['all', '1'] as const, ['expected', '1.5'] as const]],
    [Array.from({ length: 501 }, (_, n) => ['ids', String(n + 1)])],
  ])('reads an invalid selection as empty: %j', (fields) => {
    expect(readSelection(form(fields as [string, string][]))).toBeNull();
  });
});

describe('the summary above the rows', () => {
  const noun = { one: 'deal', many: 'deals' };
  const page = (rows: number, total: number, number = 1) =>
    describeRows({ rows: Array.from({ length: rows }), total, page: number, pageCount: 9 }, noun);

  test.each([
    [1, 1, 1, 'Showing 1 deal'],
    [2, 2, 1, 'Showing 2 deals'],
    [50, 412, 1, 'Showing 1–50 of 412 deals'],
    [12, 412, 9, 'Showing 401–412 of 412 deals'],
    [50, 100_000, 2_000, 'Showing 99,951–100,000 of 100,000 deals'],
  ])('summarizes %i of %i rows on page %i as "%s"', (rows, total, number, words) => {
    expect(page(rows, total, number)).toBe(words);
  });
});

describe('search and filters', () => {
  const filters = (search: string, more: object = {}) =>
    render(
      createElement(TableFilters<Sort, Filter>, {
        spec,
        query: queryOf(search),
        searchLabel: 'Search by name',
        filters: [
          {
            name: 'state',
            label: 'State',
            options: [
              { value: 'on', label: 'On' },
              { value: 'off', label: 'Off' },
            ],
          },
        ],
        dates: [{ name: 'from', label: 'From' }],
        views: [
          { label: 'All', href: '/admin/lamps' },
          { label: 'On', href: '/admin/lamps?state=on' },
        ],
        ...more,
      }),
    );
  const valueOf = (html: string, name: string) =>
    attribute(
      tagsOf(html, 'input').find((tag) => attribute(tag, 'name') === name),
      'value',
    );

  test('shows the search and filters of the URL', () => {
    const html = filters('q=desk&state=off&from=2026-01-31');
    expect(valueOf(html, 'q')).toBe('desk');
    expect(valueOf(html, 'from')).toBe('2026-01-31');
    expect(html).toMatch(/<option[^>]*value="off"[^>]*selected/);
  });

  test('keeps filters without a control, so that a form without JavaScript loses nothing', () => {
    const html = filters('merchant=4&sort=-watts&q=desk');
    expect(valueOf(html, 'merchant')).toBe('4');
    expect(valueOf(html, 'sort')).toBe('-watts');
    const hidden = tagsOf(html, 'input').filter((tag) => attribute(tag, 'type') === 'hidden');
    expect(hidden.map((tag) => attribute(tag, 'name'))).toEqual(['merchant', 'sort']);
    expect(tagsOf(html, 'form')[0]).toContain('action="/admin/lamps"');
  });

  test('marks the open view, and none for another search', () => {
    const current = (search: string) =>
      tagsOf(filters(search), 'a').map((tag) => attribute(tag, 'aria-current'));
    expect(current('state=on')).toEqual([undefined, 'page']);
    expect(current('page=2&state=on')).toEqual([undefined, 'page']);
    expect(current('state=on&q=desk')).toEqual([undefined, undefined]);
    expect(current('')).toEqual(['page', undefined]);
  });

  test('focuses the search box on the search key if there is something to search', () => {
    expect(filters('')).toContain('data-key-search');
    const silent = filters('', { searchLabel: null });
    expect(silent).not.toContain('data-key-search');
    expect(silent).not.toContain('type="search"');
  });
});

describe('the parts of a row', () => {
  test('links a row’s name with the list’s search, and Enter follows that link', () => {
    const html = render(
      createElement(RowName, { href: '/admin/lamps/7', name: 'Desk lamp', note: 'A note' }),
      { path: '/admin/lamps?q=desk&page=2' },
    );
    const [link] = tagsOf(html, 'a');
    expect(attribute(link, 'href')).toBe('/admin/lamps/7?q=desk&amp;page=2');
    expect(link).toContain('data-key-open');
    expect(textOf(html)).toBe('Desk lamp A note');
  });

  test('names a row’s menu after the row and opens it without JavaScript', () => {
    const menu = { label: 'Desk lamp', children: 'Edit' };
    const html = render(createElement(RowMenu, menu));
    const [button] = tagsOf(html, 'button');
    expect(attribute(button, 'aria-label')).toBe('Actions for Desk lamp');
    expect(attribute(button, 'popovertarget')).toBe(
      attribute(
        tagsOf(html, 'div').find((tag) => tag.includes('popover')),
        'id',
      ),
    );
  });

  test('shows a list’s numbers in its heading, links them and marks the shown list', () => {
    const html = render(
      createElement(StatLine, {
        here: '/admin/deals?status=active',
        stats: [
          { label: 'Total Deals', value: 12_345, href: '/admin/deals' },
          { label: 'Active', value: 228, href: '/admin/deals?status=active' },
          { label: 'Active Rate', value: '98%' },
        ],
      }),
    );
    expect(textOf(html)).toBe('Total Deals 12,345 Active 228 Active Rate 98%');
    const marks = tagsOf(html, 'a').map((tag) => attribute(tag, 'aria-current'));
    expect(marks).toEqual([undefined, 'page']);
  });

  test('links formatted numbers to the rows that they count', () => {
    const html = render(
      createElement(StatCards, {
        stats: [
          { label: 'Deals', value: 12_345, href: '/admin/deals' },
          { label: 'Active Rate', value: '98%' },
        ],
      }),
    );
    expect(textOf(html)).toBe('Deals 12,345 Active Rate 98%');
    expect(tagsOf(html, 'a')).toHaveLength(1);
  });
});
