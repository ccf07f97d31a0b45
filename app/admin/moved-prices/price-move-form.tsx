import { Form } from 'react-router';
import type { PriceMoveChoices } from '#app/features/moved-prices/run-price-move.server.ts';
import { Button } from '#app/ui/button.tsx';
import { ChoiceField } from '#app/ui/choice-field.tsx';
import forms from '#app/ui/form.module.css';
import { TextField } from '#app/ui/text-field.tsx';

export interface PriceMoveErrors {
  source?: string;
}

/** The owner's choices for a preview, and the button that imports it. */
export function PriceMoveForm({
  choices: { source, day_order: dayOrder },
  errors,
  canMove,
}: {
  choices: PriceMoveChoices;
  errors: PriceMoveErrors;
  canMove: boolean;
}) {
  return (
    <Form method="post" className={forms.stack} noValidate>
      <p>Nothing has been changed yet.</p>
      <TextField
        name="source"
        label="Price source"
        defaultValue={source}
        error={errors.source}
        hint="For rows that name none. Shown on charts, such as “CamelCamelCamel”."
      />
      <ChoiceField
        name="day_order"
        label="Dates such as 03/04/2025"
        defaultValue={dayOrder ?? ''}
        options={[
          { value: '', label: 'Leave out' },
          { value: 'dmy', label: 'Day first: April 3' },
          { value: 'mdy', label: 'Month first: March 4' },
        ]}
      />
      <div className={forms.actions}>
        <Button type="submit" name="intent" value="run" variant="primary">
          Move in
        </Button>
        <Button type="submit" name="intent" value="choose">
          Update preview
        </Button>
      </div>
      {canMove ? null : <p>With these choices, the move changes nothing.</p>}
    </Form>
  );
}
