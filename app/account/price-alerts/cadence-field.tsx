import {
  type Cadence,
  cadenceLabels,
  cadences,
} from '#app/features/watched-searches/watch-cadence.ts';
import { FieldFrame } from '#app/ui/field-frame.tsx';
import { SelectOptions } from '#app/ui/select-field.tsx';

const options = cadences.map((value) => ({ value, label: cadenceLabels[value] }));

/** A select for the frequency of emails about a watched search. */
export function CadenceField({ cadence }: { cadence: Cadence }) {
  return (
    <FieldFrame label="Email me">
      {(tie) => (
        <select {...tie} name="cadence" defaultValue={cadence}>
          <SelectOptions options={options} />
        </select>
      )}
    </FieldFrame>
  );
}
