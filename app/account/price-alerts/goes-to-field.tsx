import { goesToLabels } from '#app/features/price-alerts/goes-to.ts';
import { ChoiceField } from '#app/ui/choice-field.tsx';
import type { GoesTo } from '#database/schema/alert-tables.ts';

const options = Object.entries(goesToLabels).map(([value, label]) => ({ value, label }));

/** A select for where messages go, shown only to people with a channel of their own. */
export function GoesToField({ goesTo }: { goesTo: GoesTo }) {
  return <ChoiceField name="goes_to" label="Send to" options={options} defaultValue={goesTo} />;
}
