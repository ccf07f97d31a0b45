/** A page whose address is close to one that does not exist. */
export interface NearAddress {
  path: string;
  title: string;
}
