/** The origin of the tests' site. */
export const testOrigin = 'http://deals.test';
