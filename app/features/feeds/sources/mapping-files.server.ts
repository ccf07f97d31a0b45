import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#database/connect.ts';
import { mappedNames } from '../formats/feed-fields.ts';
import { formatOf, type MappingFile, mappingFile } from '../formats/feed-formats.server.ts';
import { parseJson } from '#app/platform/parse-json.ts';
import { type FeedSourceRow, unmarked, updateSource } from './feed-source-queries.server.ts';

type Mapped = Pick<
  FeedSourceRow,
  'name' | 'format' | 'mapping' | 'mapping_file' | 'record_path' | 'head'
>;

/** Returns the mapping file of this source. */
export function mappingFileOf({
  mapping_file,
}: Pick<FeedSourceRow, 'mapping_file'>): MappingFile | null {
  const read = mappingFile.safeParse(mapping_file);
  return read.success ? read.data : null;
}

/**
 * Exports a source's mapping as a file like those in `mappings/`, for another source or site, or to
 * be added there.
 */
export function exportMapping(source: Mapped, looksLike = 'csv'): MappingFile {
  const [seen = looksLike, ...names] = source.head?.split('\n') ?? [];
  const base = mappingFileOf(source) ?? formatOf(source.format === 'auto' ? seen : source.format);
  const own = Object.entries(source.mapping).map(([field, column]) => [field, mappedNames(column)]);
  const isTable = base.shape === 'table';
  return {
    ...base,
    label: source.name,
    ...(isTable && names.length > 0 && { marks: [names.filter(Boolean)] }),
    ...(source.record_path !== null && { items: [source.record_path] }),
    fields: { ...base.fields, ...Object.fromEntries(own) },
  };
}

/** Parses an uploaded mapping file, or returns the error. */
export function readMappingFile(
  text: string,
): { ok: true; file: MappingFile } | { ok: false; reason: string } {
  const value = parseJson(text);
  if (value === undefined) return { ok: false, reason: 'This file is not JSON.' };
  const read = mappingFile.safeParse(value);
  if (read.success) return { ok: true, file: read.data };
  return { ok: false, reason: `This is not a mapping file: ${z.prettifyError(read.error)}` };
}

/** Uses this mapping file for the source, replacing earlier choices. */
export async function applyMappingFile(db: Db, id: number, file: MappingFile): Promise<void> {
  await updateSource(db, id, {
    ...unmarked,
    mapping: '{}',
    mapping_file: JSON.stringify(file),
    record_path: null,
  });
}

/** Copies another source's mapping. */
export async function copyMapping(db: Db, id: number, from: Mapped): Promise<void> {
  await updateSource(db, id, {
    ...unmarked,
    mapping: JSON.stringify(from.mapping),
    mapping_file: from.mapping_file == null ? null : JSON.stringify(from.mapping_file),
    record_path: from.record_path,
  });
}

/** Returns other sources with the same columns whose mapping may fit. */
export async function listFittingMappings(
  db: Db,
  id: number,
  head: string,
): Promise<{ id: number; name: string }[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from feed_sources
     where md5(head) = md5(${head}) and head = ${head} and id <> ${id}
       and (mapping <> '{}' or mapping_file is not null or record_path is not null)
     order by updated_at desc limit 3`.execute(db);
  return rows;
}
