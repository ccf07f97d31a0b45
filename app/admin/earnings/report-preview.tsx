import { Form } from 'react-router';
import { FormSection } from '#app/admin/frame/form-section.tsx';
import { type PlainColumn, PlainTable } from '#app/admin/frame/plain-table.tsx';
import { networkOf } from '#app/features/earnings/affiliate-networks.ts';
import { type ReportField, reportFields } from '#app/features/earnings/report-forms.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import { HiddenFields } from '#app/ui/act-form.tsx';
import { Button } from '#app/ui/button.tsx';
import { ChoiceField } from '#app/ui/choice-field.tsx';
import forms from '#app/ui/form.module.css';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { Link } from '#app/ui/link.tsx';
import type { ReportPreview, ReportRow } from './read-report-upload.server.ts';

const fieldLabels: Record<ReportField, string> = {
  id: 'Transaction id',
  amount: 'Commission',
  currency: 'Currency',
  status: 'Status',
  date: 'Sale date',
  subId: 'Sub-id',
};
const needed: ReadonlySet<ReportField> = new Set(['id', 'amount', 'date']);

/** Shows what a report would change, and how it is read. */
export function ReportPreviewScreen({ preview }: { preview: ReportPreview }) {
  const { network, fileName, tally, missing, isChanged, refused, sales } = preview;
  const effects = tally.new + tally.changed;
  const problem =
    missing.length > 0
      ? `Choose the column of: ${missing.map((field) => fieldLabels[field]).join(', ')}.`
      : isChanged
        ? 'The choices changed. Check the preview, then import.'
        : undefined;
  return (
    <>
      <section className="column gap-4">
        <h2>Preview</h2>
        <p>
          {networkOf(network).name}, {fileName}. {describeTally(preview)}
        </p>
        {missing.length === 0 ? <p>{describeMatches(preview)}</p> : null}
        <FormNotice text={problem} kind="error" />
        <Form method="post" encType="multipart/form-data" className={forms.stack}>
          <HiddenFields
            fields={{
              network,
              file_name: fileName,
              content: preview.content,
              seen: JSON.stringify(preview.choices),
            }}
          />
          <div className={forms.actions}>
            <Button
              type="submit"
              variant="primary"
              name="intent"
              value="import"
              disabled={effects === 0}
            >
              {effects === 0 ? 'Nothing to import' : `Import ${countNoun(effects, 'sale')}`}
            </Button>
            <Button type="submit" name="intent" value="preview">
              Apply choices
            </Button>
            <Link to="/admin/earnings/upload" isDocument>
              Choose another file
            </Link>
          </div>
          <Choices preview={preview} />
        </Form>
      </section>
      {refused.length > 0 ? <Rows title="Refused rows" rows={refused} /> : null}
      {sales.length > 0 ? <Rows title="Sales" rows={sales} /> : null}
    </>
  );
}

function describeTally({ tally }: ReportPreview): string {
  const parts = [
    countNoun(tally.new, 'new sale'),
    countNoun(tally.changed, 'changed sale'),
    countNoun(tally.same, 'unchanged sale'),
    ...(tally.older > 0 ? [countNoun(tally.older, 'sale that is settled already')] : []),
    countNoun(tally.refused, 'refused row'),
  ];
  return `${parts.join(', ')}.`;
}

function describeMatches({ matches }: ReportPreview): string {
  const parts = [
    `${matches.matched ?? 0} with a deal or coupon`,
    ...(matches.link ? [`${matches.link} of links in newsletters and ads`] : []),
    ...(matches.deleted ? [`${matches.deleted} of deals deleted since`] : []),
    ...(matches['no sub-id'] ? [`${matches['no sub-id']} without a sub-id`] : []),
    ...(matches.foreign ? [`${matches.foreign} with a sub-id of another site`] : []),
  ];
  return `Sales matched: ${parts.join(', ')}.`;
}

function Choices({ preview }: { preview: ReportPreview }) {
  const { columns, used, choices, currency, decimalMark, dayOrder } = preview;
  const names = [...new Set(columns.filter((name) => name !== ''))];
  const automatic = (found: string | null) => ({
    value: '',
    label: `Automatic: ${found ?? 'none'}`,
  });
  const currencies = Intl.supportedValuesOf('currency');
  return (
    <FormSection
      title="How the report is read"
      hint="Columns are matched by name; your changes are saved for this network."
    >
      {reportFields.map((field) => (
        <ChoiceField
          key={field}
          name={`column.${field}`}
          label={fieldLabels[field]}
          defaultValue={choices.columns[field] ?? ''}
          options={[
            automatic(choices.columns[field] === undefined ? used[field] : null),
            ...(needed.has(field) ? [] : [{ value: '-', label: 'Not in the report' }]),
            ...names.map((name) => ({ value: name, label: name })),
          ]}
        />
      ))}
      <ChoiceField
        name="currency"
        label="Currency if the report has no column for it"
        defaultValue={choices.currency ?? ''}
        options={[
          automatic(choices.currency === null ? currency : null),
          ...currencies.map((code) => ({ value: code, label: code })),
        ]}
      />
      <ChoiceField
        name="decimal_mark"
        label="Decimal mark"
        defaultValue={choices.decimalMark ?? ''}
        options={[
          automatic(choices.decimalMark === null ? markWords(decimalMark) : null),
          { value: '.', label: 'Point: 1,249.50' },
          { value: ',', label: 'Comma: 1.249,50' },
        ]}
      />
      <ChoiceField
        name="day_order"
        label="Date order"
        defaultValue={choices.dayOrder ?? ''}
        options={[
          automatic(choices.dayOrder === null ? orderWords[dayOrder] : null),
          { value: 'dmy', label: 'Day first: 31/12/2026' },
          { value: 'mdy', label: 'Month first: 12/31/2026' },
        ]}
      />
    </FormSection>
  );
}

const orderWords = { dmy: 'day first', mdy: 'month first' };

function markWords(mark: '.' | ',' | null): string | null {
  return mark === null ? null : mark === '.' ? 'point' : 'comma';
}

const saleColumns: PlainColumn<ReportRow>[] = [
  { label: 'Transaction', cell: ({ id }) => id || '–' },
  { label: 'Line', isNumber: true, cell: ({ line }) => line },
  { label: 'Day', cell: ({ day }) => day },
  { label: 'Commission', isNumber: true, cell: ({ commission }) => commission },
  { label: 'Status', cell: ({ status }) => status },
  { label: 'Deal', cell: ({ deal }) => deal },
  { label: 'Effect', cell: ({ effect }) => effect },
];
const refusedColumns = saleColumns.filter(({ label }) =>
  ['Transaction', 'Line', 'Effect'].includes(label),
);

function Rows({ title, rows }: { title: string; rows: ReportRow[] }) {
  const isRefused = title === 'Refused rows';
  return (
    <section className="column gap-4">
      <h2>{title}</h2>
      <PlainTable
        noun={{ one: 'row', many: 'rows' }}
        page={rows}
        idOf={({ line }) => line}
        nameOf={({ line }) => `Line ${line}`}
        columns={isRefused ? refusedColumns : saleColumns}
        empty={null}
      />
    </section>
  );
}
