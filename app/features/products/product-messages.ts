/** Why an undo changed nothing. */
export const undoMessages = {
  undone: 'This is undone already.',
  deleted: 'One of the deals is in the trash. Restore it first.',
  changed: 'Later changes prevent this. Undo them first.',
};
