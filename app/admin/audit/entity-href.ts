const places: Record<string, (id: string) => string> = {
  deal: (id) => `/admin/deals/${id}/edit`,
  category: (id) => `/admin/categories/${id}/edit`,
  merchant: (id) => `/admin/merchants/${id}/edit`,
  right_set: (id) => `/admin/roles/${id}`,
  user: (id) => `/admin/users/${id}`,
  contact_message: (id) => `/admin/messages/${id}`,
  mail: (id) => `/admin/outbox/${id}`,
  import: (id) => `/admin/imports/runs/${id}`,
  'feed-source': (id) => `/admin/imports/sources/${id}`,
  webhook: (id) => `/admin/developers/webhooks/${id}`,
  channel: (id) => `/admin/channels/${id}`,
  evidence_site: () => '/admin/developers/witnesses',
  picture: (id) => `/admin/media/${id}/edit`,
  post: (id) => `/admin/blog/edit/${id}`,
  page: (id) => `/admin/pages/${id}/edit`,
  slot: (id) => `/admin/slots/${id}/edit`,
  newsletter: (id) => `/admin/newsletters/${id}`,
  site: () => '/admin/settings',
  site_settings: () => '/admin/settings',
};

/** Returns the URL of an entry's row, or `null` if it has no page. The row may be deleted. */
export function entityHref(entity: string, id: string | null): string | null {
  const place = places[entity];
  return place && id !== null ? place(encodeURIComponent(id)) : null;
}
