import { Form } from 'react-router';
import type { ContactMessage } from '#app/features/contact/contact-queries.server.ts';
import { Button } from '#app/ui/button.tsx';
import { HiddenFields } from '#app/ui/act-form.tsx';
import { SelectField } from '#app/ui/select-field.tsx';
import styles from './message-page.module.css';

/** The form that assigns the message to a colleague, to the user, or to no one. */
export function AssignForm({
  message: { assigned_to, assignee },
  colleagues,
  viewerId,
}: {
  message: ContactMessage;
  colleagues: { id: string; email: string; full_name: string }[];
  viewerId: string;
}) {
  const options = colleagues.map(({ id, email, full_name }) => {
    const name = full_name ? `${full_name} (${email})` : email;
    return { value: id, label: id === viewerId ? `${name}, you` : name };
  });
  // A colleague without the right still appears while the message is assigned to them.
  const isListed = assigned_to === null || colleagues.some(({ id }) => id === assigned_to);
  const more = isListed ? [] : [{ value: assigned_to, label: assignee ?? '' }];
  return (
    <Form method="post" className={styles.assign}>
      <HiddenFields fields={{ intent: 'assign' }} />
      <SelectField
        key={assigned_to}
        name="to"
        label="Assigned to"
        defaultValue={assigned_to ?? ''}
        options={[{ value: '', label: 'No one' }, ...options, ...more]}
      />
      <Button type="submit">Assign</Button>
    </Form>
  );
}
