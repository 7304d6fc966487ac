// biome-ignore-all lint/style/noNonNullAssertion: the kernels' contract says that every address and index is inside the memory
import type { Kernels } from '../kernels.ts';
import { hasBit, memoryViews, pairsAt, setBit } from './bitmaps.ts';

type PackedKernels = Pick<Kernels, 'orPacked' | 'orPackedRanges' | 'orPackedByField' | 'orList' | 'countList' | 'countLists'>;

/** Reference implementation of packed.as.ts. */
export function referencePostings(memory: WebAssembly.Memory): PackedKernels {
  const views = memoryViews(memory);

  function* varints(start: number, end: number): Generator<number> {
    const { u8 } = views();
    let value = 0;
    let shift = 0;
    for (let at = start; at < end; at++) {
      value |= (u8[at]! & 127) << shift;
      shift += 7;
      if (u8[at]! < 128) {
        yield value >>> 0;
        value = 0;
        shift = 0;
      }
    }
  }

  function* listDocuments(start: number, end: number): Generator<number> {
    let document = -1;
    for (const gap of varints(start, end)) {
      document += gap + 1;
      yield document;
    }
  }

  /** Yields the postings of a term group by group: a header with fields and length, then the documents. */
  function* postingsOf(start: number, end: number): Generator<{ document: number; fields: number }> {
    let at = start;
    const next = () => {
      const [value] = varints(at, end);
      while (views().u8[at++]! > 127);
      return value!;
    };
    while (at < end) {
      const head = next();
      const fields = (head >>> 2) | ((head & 2) === 0 ? 0 : next() << 16);
      const length = (head & 1) === 1 ? null : next();
      const stop = length === null ? end : at + length;
      for (const document of listDocuments(at, stop)) yield { document, fields };
      at = stop;
    }
  }

  const eachPosting = (
    offsets: number,
    from: number,
    to: number,
    postings: number,
    mask: number,
    visit: (document: number, field: number) => void,
  ) => {
    const { u32 } = views();
    for (let term = from; term < to; term++) {
      for (const { document, fields } of postingsOf(postings + u32[offsets / 4 + term]!, postings + u32[offsets / 4 + term + 1]!)) {
        const shared = fields & mask;
        if (shared !== 0) visit(document, shared);
      }
    }
  };
  const countList = (start: number, end: number, mask: number) => {
    const { u32 } = views();
    let found = 0;
    for (const document of listDocuments(start, end)) if (hasBit(u32, mask / 4, document)) found++;
    return found;
  };

  return {
    orPacked: (offsets, from, to, postings, mask, dst) => {
      eachPosting(offsets, from, to, postings, mask, (document) => setBit(views().u32, dst / 4, document));
    },
    orPackedRanges: (offsets, ranges, count, postings, mask, dst) => {
      for (const [from, to] of pairsAt(views().u32, ranges, count)) {
        eachPosting(offsets, from, to, postings, mask, (document) => setBit(views().u32, dst / 4, document));
      }
    },
    orPackedByField: (offsets, ranges, count, postings, mask, dst, stride) => {
      let fields = 0;
      for (const [from, to] of pairsAt(views().u32, ranges, count)) {
        eachPosting(offsets, from, to, postings, mask, (document, shared) => {
          const { u8, u32 } = views();
          for (let field = 0; field < 32; field++) {
            if (((shared >>> field) & 1) === 0) continue;
            const bitmap = dst + field * stride;
            if (((fields >>> field) & 1) === 0) u8.fill(0, bitmap, bitmap + stride);
            fields |= 1 << field;
            setBit(u32, bitmap / 4, document);
          }
        });
      }
      return fields;
    },
    orList: (start, end, dst) => {
      for (const document of listDocuments(start, end)) setBit(views().u32, dst / 4, document);
    },
    countList,
    countLists: (offsets, from, to, lists, mask, out) => {
      const { u32 } = views();
      for (let v = from; v < to; v++) {
        u32[out / 4 + v] = u32[out / 4 + v]! + countList(lists + u32[offsets / 4 + v]!, lists + u32[offsets / 4 + v + 1]!, mask);
      }
    },
  };
}
