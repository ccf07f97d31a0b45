import { daysInTrash } from '#app/platform/trash/days-in-trash.ts';

/** Names what is deleted, and states that it can be restored. */
export function DeletionDetail({ name }: { name: string }) {
  return (
    <>
      <p>{name}</p>
      <p className="above-2">{trashNote}</p>
    </>
  );
}

export const trashNote = `You can restore it from Trash for ${daysInTrash} days.`;
