/**
 * The loops that touch every document. All arguments are byte offsets into one memory, or counts.
 *
 * A bitmap is 16-byte aligned and a whole number of 16-byte `blocks`; document d is bit d & 31 of the little-endian word d >> 5.
 * Lists and rows are u32 and 4-byte aligned; numbers are f64 and 8-byte aligned. Counters are u32 and are added to,
 * so that the caller clears them. Nothing is checked: the caller owns the layout. `dst` may be one of the sources of a bitmap operation.
 */
export interface Kernels {
  and(dst: number, a: number, b: number, blocks: number): void;
  /** a without b. */
  andNot(dst: number, a: number, b: number, blocks: number): void;
  or(dst: number, a: number, b: number, blocks: number): void;
  xor(dst: number, a: number, b: number, blocks: number): void;
  clear(dst: number, blocks: number): void;
  /** Sets the bits from … to - 1. */
  setRange(dst: number, from: number, to: number): void;
  popcount(a: number, blocks: number): number;
  /** `and` and `andNot`, and how many bits of the result are set. */
  andCount(dst: number, a: number, b: number, blocks: number): number;
  andNotCount(dst: number, a: number, b: number, blocks: number): number;
  andPopcount(a: number, b: number, blocks: number): number;
  /** Writes the set bits in ascending order, leaving out the first `skip`, at most `most`; answers how many. */
  takeBits(src: number, blocks: number, skip: number, most: number, out: number): number;

  /** Adds to out[v] the size of mask AND bitmap v; the bitmaps stand one after the other. */
  countDense(bitmaps: number, values: number, mask: number, blocks: number, out: number): void;
  /** Adds one to out[column[d]] for every document of the u32 list; codes are u8, u16 or u32 by `width` 1, 2, 4. */
  histogram(list: number, count: number, column: number, width: number, out: number): void;
  /** The same where a document has many codes: codes[starts[d] … starts[d + 1]), u32 starts. */
  histogramMany(list: number, count: number, starts: number, codes: number, width: number, out: number): void;
  /** Sets the bit of every document whose code lies in from … to - 1. */
  setCodes(dst: number, codes: number, width: number, documents: number, from: number, to: number): void;

  /** Packed postings (FORMAT.md): sets the bit of every document that has one of the terms from … to - 1 in a field of the mask. */
  orPacked(offsets: number, from: number, to: number, postings: number, mask: number, dst: number): void;
  /** The same for the terms of `count` ranges (from, to), u32 each. */
  orPackedRanges(offsets: number, ranges: number, count: number, postings: number, mask: number, dst: number): void;
  /**
   * The same with one bitmap per field, `stride` bytes apart: the bit is set in those of all the posting's fields within the mask. A bitmap
   * is cleared before its first use; the answer says (bit f) which were used.
   */
  orPackedByField(offsets: number, ranges: number, count: number, postings: number, mask: number, dst: number, stride: number): number;
  /** Packed list of documents between two addresses: sets their bits. */
  orList(start: number, end: number, dst: number): void;
  /** How many documents of a packed list are in the mask. */
  countList(start: number, end: number, mask: number): number;
  /** Adds to out[v], from ≤ v < to, how many documents of packed list v are in the mask. */
  countLists(offsets: number, from: number, to: number, lists: number, mask: number, out: number): void;

  /**
   * Numeric columns hold an ordinal a document, 0 for none; ordinal o stands for the f64 values[o - 1], which ascend.
   * Writes min, max, sum and count of the values of the listed documents as four f64; without values min is +infinity and max -infinity.
   * Adds one to counts[n] for each value, where n is how many of the 2^steps - 1 u32 limits, which ascend, are at or below its ordinal.
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

  /** Writes the u16 number of differing bits between the query and each of `count` signatures of `blocks` × 16 bytes. */
  hamming(query: number, signatures: number, count: number, blocks: number, out: number): void;
  /** f32 dot product of two rows of `quads` × 4 lanes; the lanes are summed apart and added up at the end. */
  dot(a: number, b: number, quads: number): number;
  /** Writes the dot products of the query with the rows named by the u32 `rows`. */
  dotRows(query: number, vectors: number, quads: number, rows: number, count: number, out: number): void;

  /**
   * Rules 1 to 5 for many documents: writes to out[i] the rank of document docs[i] as one u32, smaller is better, or 0xffffffff when a
   * word occurs in it more than 512 times. From the highest bit: 16 - words (5 bits), sum of levels (6), proximity (7), attribute (8),
   * 1 unless a field is the query (1), 16 - exact words (5). At most 16 words; FORMAT.md says how forward streams lie.
   *
   * marks: u16 by code of a term, the number of its pattern, 0 for none. sieve: 32,768 bits, that of a code's last 15 bits is set when such
   * a code has a mark (more may be set). patterns: for each pattern and each of four classes of field
   * (bit 0: forgives typos, bit 1: allows infix) a byte for each word: its level, 9 for none, and 128 more when the term is the word.
   * exactCodes: u32 code of each word, 0 when there is no such term. Codes are below 2^28. phrased: bit w, word w belongs to a phrase.
   * work: 33,024 bytes of scratch, 16-byte aligned.
   */
  rankDocuments(
    docs: number,
    count: number,
    forward: number,
    starts: number,
    marks: number,
    sieve: number,
    patterns: number,
    exactCodes: number,
    words: number,
    phrased: number,
    searched: number,
    typoFields: number,
    infixFields: number,
    work: number,
    out: number,
  ): void;

  /**
   * The same for documents that have every word of `counted` (bit w) at level 0, where long texts need not be read whole. Words outside
   * of `counted` do not count. A word of `prefixed` may be several terms and is the last one; every other counted word has an exact code.
   * 0xffffffff where a text holds a word so often that rankDocuments is the faster one. work: 128 bytes of scratch.
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
    searched: number,
    work: number,
    out: number,
  ): void;

  /**
   * Gives new marks to the terms of `count` ranges (from, to), u32 code each, and sets their bits in the sieve. Terms that had the same mark
   * get the same new one: `table`, u16 by old mark and zero at first, holds what each has become. New marks are counted from `first`, in
   * the order in which they are needed; answers how many there are. No term may be in two of the ranges.
   */
  markRanges(codes: number, ranges: number, count: number, marks: number, sieve: number, table: number, first: number): number;
  /** Takes the marks of the terms of the ranges away. */
  clearMarks(codes: number, ranges: number, count: number, marks: number): void;

  /**
   * Writes field and code (u32 each) of the tokens that have a mark, extra ones too, in fields of the mask; the document's forward stream
   * stands between two addresses. Answers how many; at `most` it stops.
   */
  markedTokens(start: number, end: number, marks: number, sieve: number, fields: number, out: number, most: number): number;

  /** Sets the bit of every document that has a searched field of exactly so many tokens, extra ones aside. */
  setLengths(dst: number, documents: number, forward: number, starts: number, searched: number, tokens: number): void;

  /**
   * Terms near a word. The terms from … to - 1 of a dictionary (u32 `offsets` into the UTF-8 at `terms`, in byte order; `shares`: u8, how
   * many bytes a term begins with as the one before it does) are held against the `width` ≤ 64 u32 code points at `word`. Writes ranges
   * (from, to, distance), u32 each, of those at distance 1 … budget (at most 2); for a prefix word (`prefix` 1) the distance is that to the best
   * beginning of the term. Answers how many; at `most` it stops, and the caller goes on behind the last range. After the shares 16 bytes
   * are read. work: 4,192 bytes of scratch.
   */
  nearTerms(
    terms: number,
    offsets: number,
    shares: number,
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
   * Terms that contain the `length` bytes at `needle`. A sieve tells for 1,024 kinds of bytes which groups of 16 terms have such: a row of
   * `words` u32, a bit a group. Only groups with a bit in each of the rows named by the u32 `rows` are read, from that of term `from` on.
   * Writes the places of the terms, u32, ascending, and answers how many; it ends early when fewer than 16 places of `most` are left, and
   * then the caller goes on with the group behind the last one found. After the terms 80 bytes are read.
   */
  termsWith(
    terms: number,
    offsets: number,
    size: number,
    sieve: number,
    words: number,
    rows: number,
    rowCount: number,
    needle: number,
    length: number,
    from: number,
    out: number,
    most: number,
  ): number;
}
