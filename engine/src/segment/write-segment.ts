import { schemaMark } from '../schema.ts';
import type { Draft } from './draft.ts';
import { createSegmentFile, type SectionWriter, type SegmentTable } from './segment-file.ts';
import { byCodeUnits, byPath, byReading } from './sort-values.ts';
import { type LateSection, rowsInOrder, stringSections, writeKeyword, writeNumber, writeStrings, writeVectors } from './write-columns.ts';
import { writeText } from './write-text.ts';

/**
 * Writes the kept documents of a draft as a segment, durable when this returns. `keep` says which documents of the draft still count
 * (a later one of the same id replaces an earlier one); null keeps all. Answers the file's size and table and the kept ids in document order.
 */
export function writeSegment(
  path: string,
  draft: Draft,
  keep: ((place: number) => boolean) | null,
): { bytes: number; table: SegmentTable; ids: string[] } {
  const order = documentOrder(draft, keep);
  closeStarts(draft);
  const file = createSegmentFile(path);
  try {
    const late: LateSection[] = [];
    const widths: Record<string, number> = {};
    const terms = writeText(file, draft, order);
    writeColumns(file, draft, order, widths, late);
    file.endResident();
    const ids = Array.from(order, (place) => draft.ids[place]!);
    stringSections('ids', ids)(file);
    const prints = Array.from(order, (place) => draft.prints[place]!);
    stringSections('prints', prints)(file);
    for (const write of late) write(file);
    const { bytes, table } = file.finish({ documents: order.length, terms, schema: schemaMark(draft.schema), widths });
    return { bytes, table, ids };
  } finally {
    file.abandon();
    openStarts(draft);
  }
}

/** Document numbers follow the order of ids, so that rule 7 costs nothing. */
function documentOrder(draft: Draft, keep: ((place: number) => boolean) | null): Uint32Array {
  const { ids } = draft;
  const places = Uint32Array.from(ids, (_, index) => index);
  const kept = keep === null ? places : places.filter(keep);
  for (let at = 1; at < kept.length; at++) {
    if (byCodeUnits(ids[kept[at - 1]!]!, ids[kept[at]!]!) > 0) return kept.sort((a, b) => (ids[a]! < ids[b]! ? -1 : 1));
  }
  return kept;
}

/** The end of the last document is the start of one that never came. */
function closeStarts(draft: Draft): void {
  draft.streamStarts.push(draft.stream.length);
  for (const keyword of draft.keywords) keyword.starts.push(keyword.codes.length);
}

/** The draft stays usable when the disk refuses the segment. */
function openStarts(draft: Draft): void {
  draft.streamStarts.length--;
  for (const keyword of draft.keywords) keyword.starts.length--;
}

function writeColumns(file: SectionWriter, draft: Draft, order: Uint32Array, widths: Record<string, number>, late: LateSection[]): void {
  const { schema } = draft;
  schema.keyword.forEach((field, index) => {
    late.push(writeKeyword(file, `keyword.${index}`, draft.keywords[index]!, field.multi === true, order, widths));
  });
  for (const [index, column] of draft.numbers.entries()) writeNumber(file, `number.${index}`, column, order, widths);
  schema.sortable.forEach((_, index) => {
    late.push(writeStrings(file, `sortable.${index}`, draft.sortables[index]!, byReading, true, order, widths));
  });
  if (draft.scope) late.push(writeStrings(file, 'scope', draft.scope, byPath, false, order, widths));
  if (draft.geo) {
    const { documents, rows } = rowsInOrder(draft.geo.documents, order);
    const { lat, lng } = draft.geo;
    file.section('geo.documents', documents);
    file.section(
      'geo.lat',
      Float64Array.from(rows, (row) => lat.items[row]!),
    );
    file.section(
      'geo.lng',
      Float64Array.from(rows, (row) => lng.items[row]!),
    );
  }
  if (draft.vectors) {
    const { dimension, quantise } = schema.vector!;
    const floats = writeVectors(file, draft.vectors, dimension, quantise === true, order);
    if (floats) late.push(floats);
  }
}
