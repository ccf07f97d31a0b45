import { combineParts } from './combine-parts.ts';
import { cutCell, type FeedField, type FeedRow, type FieldSources } from './feed-fields.ts';
import type { MappingFile } from './feed-formats.server.ts';
import { fillPlaces, hasContent } from './find-columns.ts';
import { isSkipped, namesRead, scalePrices, templatesOf } from './record-language.ts';

/** The data collected about a row, whose values arrive one at a time. */
interface Collected {
  ranks: Partial<Record<string, number>>;
  parts: ReadonlyMap<string, string>;
}

/** Applies the parts of a mapping that need a complete row, for formats without columns. */
export function rowFinisher(format: MappingFile, sources: FieldSources) {
  const templates = templatesOf(sources);
  const places = templates.flatMap((template) => template.places);
  return {
    /** The elements whose values must be collected. */
    names: new Set([...places, ...namesRead(format)]),
    /** Completes the row. Returns false if it is not a product. */
    finish(row: FeedRow, { ranks, parts }: Collected): boolean {
      const valueOf = (name: string) => parts.get(name) ?? '';
      if (isSkipped(format, valueOf)) return false;
      for (const { text, fills } of templates) {
        for (const { field, rank } of fills) {
          const fill = field === 'title' ? combineParts : fillPlaces;
          fillField(row, ranks, field, rank, fill(text, valueOf));
        }
      }
      scalePrices(row, format, valueOf);
      return true;
    },
  };
}

function fillField(
  { values }: FeedRow,
  ranks: Collected['ranks'],
  field: FeedField,
  rank: number,
  text: string,
): void {
  // The rank penalty of elements without Google's prefix.
  const order = rank * 10 + 10_000;
  if (!hasContent(field, text) || order >= (ranks[field] ?? Infinity)) return;
  ranks[field] = order;
  values[field] = cutCell(field, text);
}
