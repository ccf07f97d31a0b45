export const longestListName = 60;
