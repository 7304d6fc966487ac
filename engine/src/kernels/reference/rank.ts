// biome-ignore-all lint/style/noNonNullAssertion: the kernels' contract says that every address and index is inside the memory
import type { Kernels } from '../kernels.ts';
import { type MemoryViews, memoryViews, pairsAt, setBit } from './bitmaps.ts';

const maxOccurrences = 512;
const noLevel = 9;

interface Found {
  level: number;
  exact: boolean;
  positions: number[];
}

/** Reference implementation of rank.as.ts, near.as.ts and lengths.as.ts, with a list of occurrences per word. */
export function referenceRank(
  memory: WebAssembly.Memory,
): Pick<Kernels, 'rankDocuments' | 'rankNear' | 'markRanges' | 'clearMarks' | 'markedTokens' | 'setLengths'> {
  const views = memoryViews(memory);
  return {
    rankDocuments: (
      docs,
      count,
      forward,
      starts,
      marks,
      _sieve,
      patterns,
      words,
      phrased,
      searchedFields,
      typoFields,
      infixFields,
      variantFields,
      _work,
      out,
    ) => {
      const { u32 } = views();
      const stream = { forward, starts, marks, patterns, words, searchedFields, typoFields, infixFields, variantFields };
      for (let i = 0; i < count; i++) {
        const { found, whole } = readDocument(views(), u32[docs / 4 + i]!, stream);
        const full = found.some(({ positions }) => positions.length > maxOccurrences);
        u32[out / 4 + i] = full ? 0xffffffff : keyOf(found, phrased, whole);
      }
    },
    rankNear: (
      docs,
      count,
      forward,
      starts,
      marks,
      patterns,
      _exactCodes,
      words,
      counted,
      _prefixed,
      searchedFields,
      variantFields,
      _work,
      out,
    ) => {
      const { u32 } = views();
      // Level 0 is the same in every field class.
      const stream = { forward, starts, marks, patterns, words, searchedFields, typoFields: 0, infixFields: 0, variantFields };
      for (let i = 0; i < count; i++) {
        const { found, whole } = readDocument(views(), u32[docs / 4 + i]!, stream);
        const own = found.filter((_, word) => ((counted >>> word) & 1) === 1);
        u32[out / 4 + i] = keyOf(own, -1, whole);
      }
    },
    markRanges: (codes, ranges, count, marks, markFilter, table, first) => {
      const { u16, u32 } = views();
      let next = first;
      for (const [from, to] of pairsAt(u32, ranges, count)) {
        for (const code of u32.subarray(codes / 4 + from, codes / 4 + to)) {
          const become = table / 2 + u16[marks / 2 + code]!;
          if (u16[become] === 0) u16[become] = next++;
          u16[marks / 2 + code] = u16[become]!;
          setBit(u32, markFilter / 4, code & 0x7fff);
        }
      }
      return next - first;
    },
    clearMarks: (codes, ranges, count, marks) => {
      const { u16, u32 } = views();
      for (const [from, to] of pairsAt(u32, ranges, count)) {
        for (const code of u32.subarray(codes / 4 + from, codes / 4 + to)) u16[marks / 2 + code] = 0;
      }
    },
    markedTokens: (start, end, marks, _sieve, mask, out, most) => {
      const { u8, u16, u32 } = views();
      const found = [...fieldsOf(u8, start, end)]
        .filter(({ field }) => ((mask >>> field) & 1) === 1)
        .flatMap(({ field, tokens }) => tokens.filter(({ code }) => u16[marks / 2 + code] !== 0).map(({ code }) => [field, code]))
        .slice(0, most);
      u32.set(found.flat(), out / 4);
      return found.length;
    },
    setLengths: (dst, documents, forward, starts, searchedFields, tokens) => {
      const { u8, u32 } = views();
      for (let doc = 0; doc < documents; doc++) {
        const head = starts / 4 + doc;
        const fields = [...fieldsOf(u8, forward + u32[head]!, forward + u32[head + 1]!)];
        const isLong = (field: (typeof fields)[number]) => field.tokens.filter(({ extra }) => !extra).length === tokens;
        if (fields.some((field) => ((searchedFields >>> field.field) & 1) === 1 && isLong(field))) setBit(u32, dst / 4, doc);
      }
    },
  };
}

interface Stream {
  forward: number;
  starts: number;
  marks: number;
  patterns: number;
  words: number;
  searchedFields: number;
  typoFields: number;
  infixFields: number;
  variantFields: number;
}

function readDocument({ u8, u16, u32 }: MemoryViews, doc: number, stream: Stream): { found: Found[]; whole: number } {
  const { forward, starts, marks, patterns, words, searchedFields, typoFields, infixFields, variantFields } = stream;
  const head = starts / 4 + doc;
  const found: Found[] = Array.from({ length: words }, () => ({ level: noLevel, exact: false, positions: [] }));
  /** The levels of each token of a field that has as many tokens as the query has words. */
  const candidates: { field: number; tokens: Uint8Array[] }[] = [];
  for (const { field, tokens } of fieldsOf(u8, forward + u32[head]!, forward + u32[head + 1]!)) {
    if (((searchedFields >>> field) & 1) === 0) continue;
    const kind = ((typoFields >>> field) & 1) + ((infixFields >>> field) & 1) * 2;
    const levelsOf = (code: number) => {
      const pattern = u16[marks / 2 + code]!;
      const at = patterns + (pattern * 4 + kind) * words;
      return pattern === 0 ? new Uint8Array(words).fill(noLevel) : u8.subarray(at, at + words);
    };
    const own = tokens.filter(({ extra }) => !extra);
    if (own.length === words) candidates.push({ field, tokens: own.map(({ code }) => levelsOf(code)) });
    for (const { code, position } of tokens) addOccurrence(found, levelsOf(code), field * 2 ** 27 + position);
  }
  const isWord = (levels: Uint8Array, word: number) => found[word]!.level !== noLevel && (levels[word]! & 127) === found[word]!.level;
  const wholes = candidates
    .filter(({ tokens }) => tokens.every((levels) => found.some((_, word) => isWord(levels, word))))
    .filter(({ tokens }) => found.every((_, word) => tokens.some((levels) => isWord(levels, word))));
  return { found, whole: Math.min(2, ...wholes.map(({ field }) => (variantFields >>> field) & 1)) };
}

function addOccurrence(found: Found[], levels: Uint8Array, position: number): void {
  found.forEach((word, index) => {
    const level = levels[index]! & 127;
    if (level === noLevel || level > word.level) return;
    if (level < word.level) word.positions = [];
    word.level = level;
    word.positions.push(position);
    if (levels[index]! > 127) word.exact = true;
  });
}

function keyOf(found: Found[], phrased: number, whole: number): number {
  const missing = found.findIndex(({ positions }, word) => positions.length === 0 && ((phrased >>> word) & 1) === 0);
  const matched = found.filter((_, word) => missing === -1 || word < missing || ((phrased >>> word) & 1) === 1);
  const sum = (read: (word: Found, index: number) => number) => matched.reduce((total, word, index) => total + read(word, index), 0);
  const levels = sum(({ level }) => level);
  const proximity = sum((word, index) => (index === 0 ? 0 : cost(matched[index - 1]!.positions, word.positions)));
  const attribute = sum(({ positions }) => Math.floor(Math.min(...positions) / 2 ** 27));
  const exact = sum((word) => (word.exact ? 1 : 0));
  const high = (15 - matched.length) * 2 ** 28 + levels * 2 ** 22 + proximity * 2 ** 15;
  return high + attribute * 128 + whole * 32 + 16 - exact;
}

function cost(left: number[], right: number[]): number {
  const costs = left.flatMap((p) => right.map((q) => (q > p ? q - p : q === p ? 2 : p - q + 1)));
  return Math.min(8, ...costs);
}

interface StreamToken {
  code: number;
  position: number;
  extra: boolean;
}

function* fieldsOf(u8: Uint8Array, start: number, end: number): Generator<{ field: number; tokens: StreamToken[] }> {
  let at = start;
  const varint = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = u8[at++]!;
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
    }
  };
  while (at < end) {
    const field = u8[at++]!;
    const length = varint();
    const fieldEnd = at + length;
    const tokens: StreamToken[] = [];
    let position = 0;
    while (at < fieldEnd) {
      const code = varint();
      if (code >= 2) tokens.push({ code, position: position++, extra: false });
      else if (code === 1) position += 8;
      else tokens.push({ code: varint(), position: position - varint(), extra: true });
    }
    yield { field, tokens };
  }
}
