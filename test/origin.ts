/** Where the site of tests believes to be. */
export const testOrigin = 'http://deals.test';
