/** The texts of a post, page, attachment or other item in a WordPress export. */
export interface WxrItem {
  type: string;
  title: string;
  link: string;
  guid: string;
  id: string;
  name: string;
  status: string;
  password: string;
  creator: string;
  date: string;
  dateGmt: string;
  published: string;
  content: string;
  excerpt: string;
  attachmentUrl: string;
  /** The alternative text of an attachment. */
  alt: string;
  thumbnailId: string;
  categories: string[];
  tags: string[];
  /** Terms of other taxonomies, such as `product_cat`. */
  terms: { taxonomy: string; name: string }[];
  /** Custom fields of deals, coupons and cloaked links. */
  fields: Map<string, string>;
  comments: number;
  isTooLong: boolean;
}
