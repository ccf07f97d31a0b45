/** pictures that the picker shows first, and adds on request */
export const picturesAtATime = 24;
/** pictures; older ones are found by search */
export const mostPicked = 480;
