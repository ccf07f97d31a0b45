/** days for which the trash keeps what was deleted */
export const daysInTrash = 30;
