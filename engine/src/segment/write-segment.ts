// biome-ignore-all lint/style/noNonNullAssertion: the draft's columns have one entry per document, and term numbers are below their count
import { schemaHash } from '../schema.ts';
import type { SegmentDraft } from './draft.ts';
import { createSegmentFile, type SectionWriter, type SegmentTable } from './segment-file.ts';
import { type DiskSection, rowsInOrder, stringSections, writeKeyword, writeNumber, writeStrings } from './write-columns.ts';
import { writeText } from './write-text.ts';
import { writeVectors } from './write-vectors.ts';

/** Writes the given documents of a draft, which are in id order, as a segment. The file is durable when this returns. */
export function writeSegment(path: string, draft: SegmentDraft, order: Uint32Array): { bytes: number; table: SegmentTable } {
  appendEndOffsets(draft);
  const file = createSegmentFile(path);
  try {
    const late: DiskSection[] = [];
    const widths: Record<string, number> = {};
    const terms = writeText(file, draft, order);
    writeColumns(file, draft, order, widths, late);
    file.endResident();
    stringSections('ids', draft.ids, order)(file);
    stringSections('prints', draft.fingerprints, order)(file);
    for (const write of late) write(file);
    return file.finish({ documents: order.length, terms, schema: schemaHash(draft.schema), widths });
  } finally {
    file.discard();
    removeEndOffsets(draft);
  }
}

/** Adds the end of the last document as one more start. */
function appendEndOffsets(draft: SegmentDraft): void {
  draft.streamStarts.push(draft.stream.length);
  for (const keyword of draft.keywords) keyword.starts.push(keyword.codes.length);
}

/** Undoes `appendEndOffsets`, so that the draft stays usable when writing fails. */
function removeEndOffsets(draft: SegmentDraft): void {
  draft.streamStarts.length--;
  for (const keyword of draft.keywords) keyword.starts.length--;
}

function writeColumns(
  file: SectionWriter,
  draft: SegmentDraft,
  order: Uint32Array,
  widths: Record<string, number>,
  late: DiskSection[],
): void {
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
