/** All policies hold since this day; a material change is announced 30 days before and changes it. */
export const policyDate = 'January 1, 2025';
