/** What was typed into a form that was refused, and what is wrong with it, by field. */
export interface RefusedKey {
  values: { name: string; per_minute: string };
  errors: Record<string, string>;
}

export interface RefusedWebhook {
  values: { url: string; events: string[] };
  errors: Record<string, string>;
}
