/** days for which the trash keeps deleted rows */
export const daysInTrash = 30;
