import { recordAt, tags } from './corpus.ts';

/** A peer's filters and facets as anyone would write them in JavaScript: one code a document and typed counters. */
export function loadColumns(size: number) {
  const codes = new Map<string, number>();
  const codeOf = (value: string) => {
    if (!codes.has(value)) codes.set(value, codes.size);
    return codes.get(value)!;
  };
  const library = new Uint8Array(size + 1);
  const category = new Uint8Array(size + 1);
  const group = new Uint8Array(size + 1);
  const active = new Uint8Array(size + 1);
  const tagStarts = new Uint32Array(size + 2);
  const tagCodes: number[] = [];
  const tagNumbers = new Map(tags.map((tag, index) => [tag, index]));
  for (let index = 0; index < size; index++) {
    const record = recordAt(index);
    library[index + 1] = codeOf(record.library);
    category[index + 1] = codeOf(record.category);
    group[index + 1] = codeOf(record.group);
    active[index + 1] = record.status === 'active' ? 1 : 0;
    tagStarts[index + 1] = tagCodes.length;
    for (const tag of record.tags) tagCodes.push(tagNumbers.get(tag)!);
  }
  tagStarts[size + 1] = tagCodes.length;
  const tagList = Uint16Array.from(tagCodes);

  const counters = () => ({ values: new Int32Array(codes.size), tags: new Int32Array(tags.length) });
  return {
    /** Library, category, group and tags of the active documents among these. */
    count: (ids: readonly number[]) => {
      const { values, tags: tagCounts } = counters();
      let found = 0;
      for (const id of ids) {
        if (active[id] === 0) continue;
        found++;
        values[library[id]!]!++;
        values[category[id]!]!++;
        values[group[id]!]!++;
        for (let at = tagStarts[id]!; at < tagStarts[id + 1]!; at++) tagCounts[tagList[at]!]!++;
      }
      return found;
    },
    /** The same over all documents: three columns, or the tags alone. */
    countAll: (onlyTags: boolean) => {
      const { values, tags: tagCounts } = counters();
      let found = 0;
      for (let id = 1; id <= size; id++) {
        if (active[id] === 0) continue;
        found++;
        if (onlyTags) {
          for (let at = tagStarts[id]!; at < tagStarts[id + 1]!; at++) tagCounts[tagList[at]!]!++;
        } else {
          values[library[id]!]!++;
          values[category[id]!]!++;
          values[group[id]!]!++;
        }
      }
      return found;
    },
  };
}
