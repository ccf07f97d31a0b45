import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { databaseUrl, onServer } from '#test/global-setup.ts';

/** The databases to copy: an empty migrated one, and one with the demo shop. */
export const shopTemplates = { migrated: 'migrated_shop', filled: 'filled_shop' };

interface ShopDatabase {
  url: string;
  drop(): Promise<void>;
}

/** Copies a template, which takes a fraction of the time of a first start. */
export async function createShopDatabase(
  template: keyof typeof shopTemplates,
): Promise<ShopDatabase> {
  const server = inject('shopServer');
  const name = `shop_${randomBytes(6).toString('hex')}`;
  await onServer(server, `create database ${name} template ${shopTemplates[template]}`);
  return {
    url: databaseUrl(server, name),
    drop: async () => {
      await onServer(server, `drop database ${name} with (force)`);
    },
  };
}
