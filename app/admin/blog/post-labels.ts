/** The fields' names for people, in the order of the form. */
export const postLabels = {
  title: 'Title',
  slug: 'Slug',
  excerpt: 'Excerpt',
  content: 'Content',
  is_published: 'Published',
  is_featured: 'Featured',
  published_at: 'Publication date',
  author: 'Author',
  read_time: 'Read Time (minutes)',
  featured_image_url: 'Featured Image URL',
  tags: 'Tags',
  seo_title: 'SEO Title',
  seo_description: 'SEO Description',
} as const satisfies Record<string, string>;

export type PostFieldName = keyof typeof postLabels;
