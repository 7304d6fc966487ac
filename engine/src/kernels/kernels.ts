/**
 * The inner loops over documents. All arguments are byte offsets into one memory, or counts.
 *
 * A bitmap is 16-byte aligned and has a whole number of 16-byte `blocks`; document d is bit d & 31 of the little-endian word d >> 5. Lists
 * and rows are u32 and 4-byte aligned; numbers are f64 and 8-byte aligned. Counters are u32 and are incremented, so the caller must clear
 * them. Nothing is checked: the caller is responsible for the layout. `dst` may be one of the operands of a bitmap operation.
 */
export interface Kernels {
  and(dst: number, a: number, b: number, blocks: number): void;
  /** a AND NOT b. */
  andNot(dst: number, a: number, b: number, blocks: number): void;
  or(dst: number, a: number, b: number, blocks: number): void;
  xor(dst: number, a: number, b: number, blocks: number): void;
  clear(dst: number, blocks: number): void;
  /** Sets the bits from … to - 1. */
  setRange(dst: number, from: number, to: number): void;
  popcount(a: number, blocks: number): number;
  /** Like `and` and `andNot`, and returns the number of bits set. */
  andCount(dst: number, a: number, b: number, blocks: number): number;
  andNotCount(dst: number, a: number, b: number, blocks: number): number;
  andPopcount(a: number, b: number, blocks: number): number;
  /** Writes at most `most` set bits in ascending order after skipping the first `skip`, and returns how many were written. */
  takeBits(src: number, blocks: number, skip: number, most: number, out: number): number;

  /** Adds the size of mask AND bitmap v to out[v], for consecutive bitmaps. */
  countDense(bitmaps: number, values: number, mask: number, blocks: number, out: number): void;
  /** Adds one to out[column[d]] for every document of the u32 list; codes are u8, u16 or u32 by `width` 1, 2, 4. */
  histogram(list: number, count: number, column: number, width: number, out: number): void;
  /** The same for multi-valued columns: codes[starts[d] … starts[d + 1]), u32 starts. */
  histogramMany(list: number, count: number, starts: number, codes: number, width: number, out: number): void;
  /** Sets the bit of every document whose code is in from … to - 1. */
  setCodes(dst: number, codes: number, width: number, documents: number, from: number, to: number): void;

  /**
   * Reads packed postings (FORMAT.md): sets the bit of every document that contains one of the terms from … to - 1 in a field of the mask.
   */
  orPacked(offsets: number, from: number, to: number, postings: number, mask: number, dst: number): void;
  /** The same for the terms of `count` ranges (from, to), u32 each. */
  orPackedRanges(offsets: number, ranges: number, count: number, postings: number, mask: number, dst: number): void;
  /**
   * The same with one bitmap per field, `stride` bytes apart: sets the bit in the bitmaps of all fields that the posting and the mask
   * share. Bitmaps are cleared before first use. Returns a bit mask of the fields that were used.
   */
  orPackedByField(offsets: number, ranges: number, count: number, postings: number, mask: number, dst: number, stride: number): number;
  /** Sets the bits of the documents in the packed list between two addresses. */
  orList(start: number, end: number, dst: number): void;
  /** Returns how many documents of a packed list are in the mask. */
  countList(start: number, end: number, mask: number): number;
  /** Adds to out[v], from ≤ v < to, how many documents of packed list v are in the mask. */
  countLists(offsets: number, from: number, to: number, lists: number, mask: number, out: number): void;

  /**
   * Numeric columns hold one ordinal per document, 0 for no value; ordinal o stands for the f64 values[o - 1], which ascend. Writes min,
   * max, sum and count of the listed documents as four f64; without values, min is +infinity and max -infinity. Adds one to counts[n] for
   * each value, where n is how many of the 2^steps - 1 ascending u32 limits are ≤ its ordinal.
   */
  countNumbers(
    list: number,
    documents: number,
    ordinals: number,
    width: number,
    values: number,
    limits: number,
    steps: number,
    counts: number,
    out: number,
  ): void;

  /**
   * Writes, as u16, the number of bits in which the query differs from each of `count` signatures of `blocks` × 16 bytes, or 0xffff for rows
   * whose document (u32 `documents`) is not in the bitmap `matches`. Adds the number of rows of each distance to the u32 `counts`, and returns
   * how many documents are in the bitmap. Reads 48 bytes of the query.
   */
  hamming(
    query: number,
    signatures: number,
    count: number,
    blocks: number,
    documents: number,
    matches: number,
    out: number,
    counts: number,
  ): number;
  /** Writes the ascending u32 indexes of the u16 distances below the limit, and returns how many. Reads up to 14 bytes past the distances. */
  rowsBelow(distances: number, count: number, limit: number, out: number): number;
  /**
   * Writes, as f32, the product of an i8 query with each of the rows listed in the u32 `rows`: a component of a row is 3, or 10 if its bit in
   * `strengths` is set, and negative unless its bit in `signs` is set. Rows have `blocks` × 128 components.
   */
  estimateRows(query: number, signs: number, strengths: number, blocks: number, rows: number, count: number, out: number): void;
  /** Returns the f32 dot product of two rows of `quads` × 4 lanes; each lane is summed separately, and the lanes are added at the end. */
  dot(a: number, b: number, quads: number): number;
  /** Writes the dot products of the query with the rows listed in the u32 `rows`. */
  dotRows(query: number, vectors: number, quads: number, rows: number, count: number, out: number): void;
  /**
   * Writes, as u32, which of the `rows` rows at `among` has the largest product with each of `count` vectors; the first of equal ones. `rows`
   * is a multiple of four.
   */
  largestProducts(vectors: number, count: number, among: number, rows: number, quads: number, out: number): void;

  /**
   * Applies rules 1 to 5 of RULES.md §4 to many documents: writes the rank of document docs[i] to out[i] as one u32, smaller is better, or
   * 0xffffffff when a word occurs in it more than 512 times. From the highest bit: 15 - words (4 bits), sum of levels (6), proximity (7),
   * attribute (8), 0 if a field consists of the query's words, 1 if only a variant field does, 2 otherwise (2), 16 - exact words (5). At
   * most 15 words; FORMAT.md describes forward streams.
   *
   * marks: u16 by term code, the number of the term's pattern, 0 for none.
   * markFilter: 32,768 bits indexed by the low 15 bits of a code; a code without a bit has no mark.
   * patterns: for each pattern and each of four field classes (bit 0: typo tolerance, bit 1: infix) one byte per word: its level, 9 for no
   * match, plus 128 when the term is the word.
   * phrased: bit w is set when word w belongs to a phrase. Codes are below 2^28.
   * work: 33,024 bytes of scratch memory, 16-byte aligned.
   */
  rankDocuments(
    docs: number,
    count: number,
    forward: number,
    starts: number,
    marks: number,
    markFilter: number,
    patterns: number,
    words: number,
    phrased: number,
    searchedFields: number,
    typoFields: number,
    infixFields: number,
    variantFields: number,
    work: number,
    out: number,
  ): void;

  /**
   * The same for documents that contain every word of the bit mask `counted` at level 0, without reading long texts completely. Other words
   * do not count. exactCodes: u32 code of each word, 0 when there is no such term. Only the last word may be in `prefixed` and match
   * several terms; every other counted word has an exact code. Writes
   * 0xffffffff when a text contains a word so often that rankDocuments is faster. work: 128 bytes of scratch memory.
   */
  rankNear(
    docs: number,
    count: number,
    forward: number,
    starts: number,
    marks: number,
    patterns: number,
    exactCodes: number,
    words: number,
    counted: number,
    prefixed: number,
    searchedFields: number,
    variantFields: number,
    work: number,
    out: number,
  ): void;

  /**
   * Gives new marks to the terms of `count` ranges (from, to), u32 code each, and sets their bits in the mark filter. Terms with the same
   * old mark get the same new one: `table`, u16 by old mark and initially zero, holds the new marks. New marks count from `first` in order
   * of need; returns how many there are. No term may be in two ranges.
   */
  markRanges(codes: number, ranges: number, count: number, marks: number, markFilter: number, table: number, first: number): number;
  /** Clears the marks of the terms in the ranges. */
  clearMarks(codes: number, ranges: number, count: number, marks: number): void;

  /**
   * Writes field and code (u32 each) of the marked tokens, including extra tokens, in fields of the mask. The document's forward stream is
   * between two addresses. Returns their number, at most `most`.
   */
  markedTokens(start: number, end: number, marks: number, markFilter: number, fields: number, out: number, most: number): number;

  /** Sets the bit of every document that has a searched field with exactly this many tokens, not counting extra tokens. */
  setLengths(dst: number, documents: number, forward: number, starts: number, searchedFields: number, tokens: number): void;

  /**
   * Finds terms near a word. Compares the terms from … to - 1 of a dictionary (u32 `offsets` into the UTF-8 at `terms`, in byte order;
   * `sharedPrefixes`: u8, number of leading bytes shared with the previous term) with the `width` ≤ 64 u32 code points at `word`. Writes
   * ranges (from, to, distance), u32 each, of terms at distance 1 … budget (at most 2); for a prefix word (`prefix` 1), the distance to the
   * best prefix of the term counts. Returns the number of ranges; at `most` it stops, and the caller continues after the last range. Reads
   * 16 bytes past the shared prefixes. work: 4,192 bytes of scratch memory.
   */
  nearTerms(
    terms: number,
    offsets: number,
    sharedPrefixes: number,
    from: number,
    to: number,
    word: number,
    width: number,
    budget: number,
    prefix: number,
    work: number,
    out: number,
    most: number,
  ): number;

  /**
   * Finds terms that contain the `length` bytes at `needle`. The trigram index has 1,024 rows of `words` u32 with one bit per group of 16
   * terms. Only groups with a bit in each of the u32 `rows` are read, starting with the group of term `from`. Writes the ascending indexes
   * of the terms as u32, and returns how many; it stops when fewer than 16 of `most` entries are free, and the caller continues with the
   * group after the last one found. Reads 80 bytes past the terms.
   */
  termsWith(
    terms: number,
    offsets: number,
    size: number,
    trigramIndex: number,
    words: number,
    rows: number,
    rowCount: number,
    needle: number,
    length: number,
    from: number,
    out: number,
    most: number,
  ): number;

  /** Writes the ascending indexes of the terms with postings in one of the fields as u32, and returns how many. FORMAT.md describes postings. */
  listTerms(postings: number, postingOffsets: number, terms: number, fields: number, out: number): number;

  /** Returns the sum of the lengths of the `count` terms with the u32 indexes at `listed`. */
  bytesOfTerms(offsets: number, listed: number, count: number): number;

  /** Copies the `count` terms with the u32 indexes at `listed` to another dictionary. */
  copyTerms(terms: number, offsets: number, listed: number, count: number, toTerms: number, toOffsets: number): void;

  /** Writes for each term of a dictionary how many leading bytes it shares with the previous one, as u8. */
  sharedPrefixes(terms: number, offsets: number, size: number, out: number): void;

  /** Sets the bits of a zeroed trigram index for `termsWith`. work: 4,096 bytes of scratch memory. */
  fillTrigrams(terms: number, offsets: number, size: number, trigramIndex: number, words: number, work: number): void;
}
