/** The origin of the site under test. */
export const testOrigin = 'http://deals.test';
