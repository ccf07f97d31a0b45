import type { ClientBase } from 'pg';

/**
 * Whether trigrams see more than ASCII. They ask the C library what a letter is (LC_CTYPE), and in the locale C they drop
 * every other one: no typing error is corrected and no part of a word found in most of the world's alphabets.
 */
export async function knowsLetters(client: Pick<ClientBase, 'query'>): Promise<boolean> {
  const { rows } = await client.query<{ knows: boolean }>(
    `select show_trgm('наушники') <> '{}' as knows`,
  );
  return rows[0]?.knows ?? false;
}
