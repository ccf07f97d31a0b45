import { Form } from 'react-router';
import type { MoveChoices } from '#app/features/moved-subscribers/run-subscriber-move.server.ts';
import { Button } from '#app/ui/button.tsx';
import { CheckField } from '#app/ui/check-field.tsx';
import { ChoiceField } from '#app/ui/choice-field.tsx';
import forms from '#app/ui/form.module.css';
import { TextField } from '#app/ui/text-field.tsx';

export interface MoveErrors {
  source?: string;
}

/** The owner's choices for a preview, and the button that imports it. */
export function MoveForm({
  choices: { source, states_consent: statesConsent, blank_state: blankState },
  errors,
  canMove,
}: {
  choices: MoveChoices;
  errors: MoveErrors;
  canMove: boolean;
}) {
  return (
    <Form method="post" className={forms.stack} noValidate>
      <p>Nothing has been changed yet. The import sends these people no emails.</p>
      <TextField
        name="source"
        label="Where these people signed up"
        defaultValue={source}
        error={errors.source}
        hint="Stored with each subscription. For example, “Sign-up form of my former site”."
      />
      <CheckField
        name="states_consent"
        label="I state that rows without a date of consent signed up there"
        defaultChecked={statesConsent}
        hint="Otherwise these rows are left out. The date when an entry was created is not consent."
      />
      <ChoiceField
        name="blank_state"
        label="Rows without a status"
        defaultValue={blankState ?? ''}
        options={[
          { value: '', label: 'Leave out' },
          { value: 'subscribed', label: 'Subscribed' },
          { value: 'unsubscribed', label: 'Unsubscribed' },
          { value: 'bounced', label: 'Bounced' },
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
