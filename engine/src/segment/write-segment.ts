import { schemaMark } from '../schema.ts';
import type { Draft } from './draft.ts';
import { createSegmentFile, type SectionWriter, type SegmentTable } from './segment-file.ts';
import { type LateSection, rowsInOrder, stringSections, writeKeyword, writeNumber, writeStrings, writeVectors } from './write-columns.ts';
import { writeText } from './write-text.ts';

/** Writes the documents of a draft at these places, which stand in order of their ids, as a segment; durable when this returns. */
export function writeSegment(path: string, draft: Draft, order: Uint32Array): { bytes: number; table: SegmentTable } {
  closeStarts(draft);
  const file = createSegmentFile(path);
  try {
    const late: LateSection[] = [];
    const widths: Record<string, number> = {};
    const terms = writeText(file, draft, order);
    writeColumns(file, draft, order, widths, late);
    file.endResident();
    stringSections('ids', draft.ids, order)(file);
    stringSections('prints', draft.prints, order)(file);
    for (const write of late) write(file);
    return file.finish({ documents: order.length, terms, schema: schemaMark(draft.schema), widths });
  } finally {
    file.abandon();
    openStarts(draft);
  }
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
    late.push(writeStrings(file, `sortable.${index}`, draft.sortables[index]!, true, order, widths));
  });
  if (draft.scope) late.push(writeStrings(file, 'scope', draft.scope, false, order, widths));
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
