/** A page whose URL is similar to one that does not exist. */
export interface NearAddress {
  path: string;
  title: string;
}
