export const mostFollows = 200;

export const followMessages = {
  tooMany: `You follow ${mostFollows} stores, categories and brands, which is the limit. Unfollow one to follow another.`,
  gone: 'This store, category or brand no longer exists.',
} as const;
