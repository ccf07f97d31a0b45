import { createElement, createRef, type ReactNode } from 'react';
import { describe, expect, test } from 'vitest';
import { render, tagsOf, textOf } from '#test/render-component.tsx';
import { ConfirmAct } from './confirm-act.tsx';
import { ConflictPanel } from './conflict-panel.tsx';
import { type EditFields, editFields, EditForm } from './edit-form.tsx';
import { FlashMessage } from './flash-message.tsx';
import { type FormOutcome, typedValues } from './form-outcome.ts';
import { PicturePreview } from './picture-preview.tsx';
import { SlugFields } from './slug-fields.tsx';

const attribute = (tag: string | undefined, name: string) =>
  new RegExp(`\\s${name}="([^"]*)"`, 'i').exec(tag ?? '')?.[1];
const inputOf = (html: string, name: string) =>
  tagsOf(html, 'input').find((tag) => attribute(tag, 'name') === name);

const stored = { name: 'Stored name', note: 'Stored note', bright: 'on' };
const refusal = (more: Partial<FormOutcome> = {}): FormOutcome => ({
  ok: false,
  values: { name: 'Typed name' },
  ...more,
});

function form(
  outcome: FormOutcome | undefined,
  more: Partial<Parameters<typeof EditForm>[0]> = {},
): string {
  const children = (fields: EditFields): ReactNode => [
    createElement('input', { key: 1, name: 'name', defaultValue: fields.value('name') }),
    createElement('textarea', { key: 2, name: 'note', defaultValue: fields.value('note') }),
    createElement('input', {
      key: 3,
      name: 'bright',
      type: 'checkbox',
      defaultChecked: fields.isTicked('bright'),
    }),
    createElement('p', { key: 4 }, `Name: ${fields.error('name') ?? 'fine'}`),
  ];
  const props = {
    stored,
    outcome,
    errorTitle: 'Error saving lamp',
    labels: { name: 'Name', note: 'Note', bright: 'Bright' },
    submitLabel: 'Update Lamp',
    cancelHref: '/admin/lamps?q=desk',
    children,
    ...more,
  };
  return render(createElement(EditForm, props));
}

describe('an edit form', () => {
  test('starts an edit form with the stored values and no message', () => {
    const html = form(undefined);
    expect(attribute(inputOf(html, 'name'), 'value')).toBe('Stored name');
    expect(html).toContain('>Stored note</textarea>');
    expect(inputOf(html, 'bright')).toContain('checked');
    expect(html).not.toContain('role="alert"');
    expect(textOf(html)).toContain('Name: fine');
  });

  test('shows exactly the previous input, with emptied and unticked fields', () => {
    const html = form(refusal({ errors: { name: 'Too short' } }));
    expect(attribute(inputOf(html, 'name'), 'value')).toBe('Typed name');
    expect(html).not.toContain('Stored note');
    expect(inputOf(html, 'bright')).not.toContain('checked');
  });

  test('lists errors by label above the form and shows each at its field', () => {
    const html = form(
      refusal({ message: 'Nothing was saved.', errors: { name: 'Too short', other: 'Odd' } }),
    );
    const summary = /<div role="alert".*?<\/div>/s.exec(html)?.[0] ?? '';
    expect(textOf(summary)).toBe('Error saving lamp Nothing was saved. Name: Too short other: Odd');
    // The attribute makes the summary focusable.
    expect(attribute(tagsOf(summary, 'div')[0], 'tabindex')).toBe('-1');
    expect(textOf(html)).toContain('Name: Too short');
  });

  test('posts the version it was loaded with, or the newer one after a conflict', () => {
    expect(inputOf(form(undefined), 'version')).toBeUndefined();
    expect(attribute(inputOf(form(undefined, { version: 3 }), 'version'), 'value')).toBe('3');
    const outcome = refusal({ conflict: { version: 5, current: { name: 'Their name' } } });
    expect(attribute(inputOf(form(outcome, { version: 3 }), 'version'), 'value')).toBe('5');
  });

  test('never disables Save before scripts run, and returns to the same list on Cancel', () => {
    const html = form(undefined);
    const submit = tagsOf(html, 'button').find((tag) => attribute(tag, 'type') === 'submit');
    expect(submit).not.toContain('disabled');
    expect(submit).not.toContain('aria-busy');
    expect(textOf(html)).toContain('Update Lamp');
    expect(tagsOf(html, 'a').map((tag) => attribute(tag, 'href'))).toEqual(['/admin/lamps?q=desk']);
    expect(tagsOf(html, 'form')[0]).toMatch(/method="post"/);
    expect(tagsOf(html, 'form')[0]).toMatch(/noValidate|novalidate/);
  });

  test('disables Save until required fields are filled', () => {
    expect(form(undefined, { isIncomplete: true })).toMatch(/<button[^>]*disabled/);
  });
});

describe('a conflict between two saves', () => {
  const labels = { name: 'Name', note: 'Note', bright: 'Bright' };
  const panel = (yours: Record<string, string>, theirs: Record<string, string>) =>
    render(
      createElement(ConflictPanel, { yours, theirs, labels, form: createRef<HTMLFormElement>() }),
    );
  const rowsOf = (html: string) =>
    [...html.matchAll(/<tr>(.*?)<\/tr>/gs)].slice(1).map(([, row]) => textOf(row ?? ''));

  test('shows only the fields that differ between two saves, theirs beside yours', () => {
    const html = panel(
      { name: 'Mine', note: 'Same' },
      { name: 'Theirs', note: 'Same', bright: 'on' },
    );
    expect(rowsOf(html)).toEqual(['Name Theirs Mine Use theirs', 'Bright on (empty) Use theirs']);
    expect(html).toContain('aria-label="Use theirs: Name"');
  });

  test('reports that both versions of a conflict are the same', () => {
    expect(textOf(panel({ name: 'A' }, { name: 'A' }))).toBe(
      'Both versions are the same. Save again to keep it.',
    );
  });

  test('omits internal fields from a conflict, such as the version', () => {
    expect(rowsOf(panel({ name: 'A', secret: 'x' }, { name: 'B', secret: 'y' }))).toHaveLength(1);
  });

  test('shows long texts of a conflict around their first difference', () => {
    const same = 'word '.repeat(400);
    const [row = ''] = rowsOf(panel({ note: `${same}mine` }, { note: `${same}theirs` }));
    expect(row).toContain('…');
    expect(row).toContain('theirs');
    expect(row).toContain('mine');
    expect(row.length).toBeLessThan(400);
  });

  test('truncates long texts that differ from the first character', () => {
    const [row = ''] = rowsOf(panel({ note: `a${'x'.repeat(5_000)}` }, { note: 'b' }));
    expect(row.length).toBeLessThan(700);
    expect(row).toMatch(/x…/);
  });
});

describe('a button with a confirmation', () => {
  const html = () =>
    render(
      createElement(ConfirmAct, {
        label: 'Delete',
        question: 'Are you sure?',
        detail: createElement('p', {}, 'Desk lamp'),
        confirmLabel: 'Delete lamp',
        fields: { intent: 'delete', id: '7' },
        action: '/admin/lamps?q=desk',
      }),
    );

  test('opens a confirmation without JavaScript and sends nothing by itself', () => {
    const [opener] = tagsOf(html(), 'button');
    expect(attribute(opener, 'type')).toBe('button');
    expect(attribute(opener, 'command')).toBe('show-modal');
    expect(attribute(opener, 'commandfor')).toBe(attribute(tagsOf(html(), 'dialog')[0], 'id'));
  });

  test('asks in a dialog titled with its question, which names the item', () => {
    const dialog = /<dialog.*<\/dialog>/s.exec(html())?.[0] ?? '';
    expect(textOf(dialog)).toBe('Are you sure? Desk lamp Cancel Delete lamp');
    const heading = tagsOf(dialog, 'h2')[0];
    expect(attribute(tagsOf(dialog, 'dialog')[0], 'aria-labelledby')).toBe(
      attribute(heading, 'id'),
    );
  });

  test('posts a confirmed button’s fields to the given URL', () => {
    const dialogForm = tagsOf(html(), 'form')[0];
    expect(attribute(dialogForm, 'method')).toBe('post');
    expect(attribute(dialogForm, 'action')).toBe('/admin/lamps?q=desk');
    expect(attribute(inputOf(html(), 'intent'), 'value')).toBe('delete');
    expect(attribute(inputOf(html(), 'id'), 'value')).toBe('7');
  });

  test('puts Cancel before the confirming button', () => {
    const buttons = [...html().matchAll(/<button([^>]*)>([^<]*)</g)].slice(1);
    expect(buttons.map(([, , words]) => words)).toEqual(['Cancel', 'Delete lamp']);
    expect(buttons[0]?.[1]).toContain('command="close"');
  });
});

describe('the outcome of the previous form', () => {
  const flash = { id: 'a', text: 'Lamp <deleted>', at: '/admin/lamps' };

  test('shows the outcome of the previous form once, with its kind, without JavaScript', () => {
    const info = render(createElement(FlashMessage, { flash: { ...flash, kind: 'info' } }));
    expect(info).toContain('role="status"');
    expect(info).toContain('Lamp &lt;deleted&gt;');
    expect(info).toContain('data-without-js');
    const error = render(createElement(FlashMessage, { flash: { ...flash, kind: 'error' } }));
    expect(error).toContain('role="alert"');
    expect(error).not.toContain('<form');
    expect(render(createElement(FlashMessage, { flash: null }))).toBe('');
  });

  test('offers Undo as a form', () => {
    const undo = { label: 'Undo', action: '/admin/lamps?q=desk', fields: { intent: 'restore' } };
    const html = render(createElement(FlashMessage, { flash: { ...flash, kind: 'info', undo } }));
    expect(attribute(tagsOf(html, 'form')[0], 'action')).toBe('/admin/lamps?q=desk');
    expect(attribute(inputOf(html, 'intent'), 'value')).toBe('restore');
    expect(textOf(html)).toBe('Lamp <deleted> Undo');
  });
});

describe('fields', () => {
  const labels = { name: 'Name', slug: 'Slug' };
  const taken = { slug: 'Slug is taken' };

  test('shows a slug with its resulting URL', () => {
    const html = render(
      createElement(SlugFields, {
        fields: editFields({ slug: 'desk-lamp' }, labels),
        isNew: false,
        addressOf: (slug: string) => `/lamps/${slug}`,
      }),
    );
    expect(textOf(html)).toContain('Used in URLs: /lamps/desk-lamp.');
  });

  test('shows a rejected slug unchanged, with its error', () => {
    const html = render(
      createElement(SlugFields, {
        fields: editFields({ name: 'Desk lamp', slug: 'desk-lamp' }, labels, taken),
        isNew: false,
        addressOf: (slug: string) => `/lamps/${slug}`,
      }),
    );
    expect(attribute(inputOf(html, 'slug'), 'value')).toBe('desk-lamp');
    expect(attribute(inputOf(html, 'slug'), 'aria-invalid')).toBe('true');
    expect(textOf(html)).toContain('Slug is taken');
  });

  test.each(['', 'javascript:alert(1)', 'data:image/png;base64,AAAA', '//evil.example/a.png'])(
    'does not load a picture from %j',
    (src) => {
      const html = render(createElement(PicturePreview, { src, alt: 'Logo' }));
      expect(tagsOf(html, 'img')).toEqual([]);
      expect(textOf(html)).toContain('when you enter its address');
    },
  );

  test('previews a picture without a referrer', () => {
    const html = render(
      createElement(PicturePreview, { src: ' https://pictures.example/a.png ', alt: 'Logo' }),
    );
    const [picture] = tagsOf(html, 'img');
    expect(attribute(picture, 'src')).toBe('https://pictures.example/a.png');
    expect(picture).toMatch(/referrerpolicy="no-referrer"/i);
  });

  test('returns a form’s texts by name, without files and unticked checkboxes', () => {
    const data = new FormData();
    data.set('name', 'Lamp');
    data.set('file', new Blob(['x']), 'a.txt');
    expect(typedValues(data)).toEqual({ name: 'Lamp' });
  });
});
