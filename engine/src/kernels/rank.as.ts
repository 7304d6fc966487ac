import { lastBit, valueOf } from './varint.as';

// Applies rules 1 to 5 to many documents by reading their forward streams (FORMAT.md) and looking up the marks of a query.

/** Maximum number of stored occurrences per word; documents with more are left to the caller. */
const maxOccurrences: u32 = 512;
const unknown: u32 = 0xffffffff;

/** Implements `Kernels.rankDocuments`. The mark filter fits into the L1 cache, the marks do not. */
export function rankDocuments(
  docs: usize, count: u32, forward: usize, starts: usize, marks: usize, markFilter: usize, patterns: usize, words: u32,
  phrased: u32, searched: u32, typoFields: u32, infixFields: u32, variants: u32, work: usize, out: usize,
): void {
  const positions = work + 128, candidates = positions + 32768;
  for (let i: u32 = 0; i < count; i++) {
    const head = starts + ((load<u32>(docs + ((i as usize) << 2)) as usize) << 2);
    let at = forward + (load<u32>(head) as usize);
    const end = forward + (load<u32>(head, 4) as usize);
    // For each word: the number of its occurrences (u32), its best level, and whether the word itself occurs.
    for (let w: u32 = 0; w < words; w++) {
      store<u32>(work + (w << 2), 0);
      store<u8>(work + w, 9, 64);
      store<u8>(work + w, 0, 80);
    }
    // The addresses of fields with as many tokens as the query has words.
    let candidateCount: u32 = 0, full = false;
    while (at < end) {
      const start = at;
      const field: u32 = load<u8>(at++);
      let length: u32 = load<u8>(at++);
      if (length > 127) {
        length &= 127;
        let shift: u32 = 7, byte: u32 = 0;
        do {
          byte = load<u8>(at++);
          length |= (byte & 127) << shift;
          shift += 7;
        } while (byte > 127);
      }
      const fieldEnd = at + (length as usize);
      if (((searched >> field) & 1) == 0) {
        at = fieldEnd;
        continue;
      }
      const kind = (((typoFields >> field) & 1) | (((infixFields >> field) & 1) << 1)) * words;
      let place = field << 27;
      let tokens: u32 = 0;
      while (at < fieldEnd) {
        // Branch-free decoding of a varint of up to four bytes: the high bits show which byte ends it.
        const four = load<u32>(at);
        const last = ctz<u32>(~four & 0x80808080);
        at += ((last >> 3) + 1) as usize;
        let code = ((four & 0x7f) | ((four >> 1) & 0x3f80) | ((four >> 2) & 0x1fc000) | ((four >> 3) & 0xfe00000)) & (0xfffffff >> (28 - ((last + 1) * 7 >> 3)));
        let position = place;
        if (code >= 2) {
          tokens++;
          place++;
          if (((load<u32>(markFilter + ((code & 0x7fff) >> 5 << 2)) >> (code & 31)) & 1) == 0) continue;
        } else if (code == 1) {
          place += 8;
          continue;
        } else {
          let extra: u32 = load<u8>(at++);
          if (extra > 127) {
            extra &= 127;
            let shift: u32 = 7, byte: u32 = 0;
            do {
              byte = load<u8>(at++);
              extra |= (byte & 127) << shift;
              shift += 7;
            } while (byte > 127);
          }
          let back: u32 = load<u8>(at++);
          if (back > 127) {
            back &= 127;
            let shift: u32 = 7, byte: u32 = 0;
            do {
              byte = load<u8>(at++);
              back |= (byte & 127) << shift;
              shift += 7;
            } while (byte > 127);
          }
          code = extra;
          position = place - back;
        }
        const pattern: u32 = load<u16>(marks + ((code as usize) << 1));
        if (pattern == 0) continue;
        const levels = patterns + ((pattern * words) << 2) + kind;
        for (let w: u32 = 0; w < words; w++) {
          const part: u32 = load<u8>(levels + w);
          const level = part & 127, best: u32 = load<u8>(work + w, 64);
          if (level > best || level == 9) continue;
          let known = load<u32>(work + (w << 2));
          if (level < best) {
            store<u8>(work + w, level, 64);
            known = 0;
          }
          if (part > 127) store<u8>(work + w, 1, 80);
          if (known == maxOccurrences) {
            full = true;
            continue;
          }
          // Extra tokens follow their parts in the stream but have an earlier position.
          let slot = positions + (((w * maxOccurrences + known) as usize) << 2);
          const first = positions + (((w * maxOccurrences) as usize) << 2);
          while (slot > first && load<u32>(slot - 4) > position) {
            store<u32>(slot, load<u32>(slot - 4));
            slot -= 4;
          }
          store<u32>(slot, position);
          store<u32>(work + (w << 2), known + 1);
        }
      }
      if (tokens == words) store<u32>(candidates + ((candidateCount++ as usize) << 2), start as u32);
    }
    let whole: u32 = 2;
    for (let c: u32 = 0; c < candidateCount && !full; c++) {
      const start = load<u32>(candidates + ((c as usize) << 2)) as usize;
      const field: u32 = load<u8>(start);
      const own: u32 = (variants >> field) & 1;
      if (own >= whole) continue;
      const kind = (((typoFields >> field) & 1) | (((infixFields >> field) & 1) << 1)) * words;
      if (hasOnlyWords(start, marks, patterns + kind, words, work + 64)) whole = own;
    }
    store<u32>(out + ((i as usize) << 2), full ? unknown : keyOf(work, positions, words, phrased, whole));
  }
}

function keyOf(work: usize, positions: usize, words: u32, phrased: u32, whole: u32): u32 {
  let matched: u32 = 0, levels: u32 = 0, proximity: u32 = 0, attribute: u32 = 0, exact: u32 = 0;
  let previous: i32 = -1;
  let dropped = false;
  for (let w: u32 = 0; w < words; w++) {
    if (((phrased >> w) & 1) == 0) {
      // When trailing words may be missing, words count up to the first missing one.
      if (load<u32>(work + (w << 2)) == 0) dropped = true;
      if (dropped) continue;
    }
    matched++;
    levels += load<u8>(work + w, 64);
    exact += load<u8>(work + w, 80);
    attribute += load<u32>(positions + (((w * maxOccurrences) as usize) << 2)) >> 27;
    if (previous >= 0) proximity += nearest(work, positions, previous, w);
    previous = w;
  }
  return ((15 - matched) << 28) | (levels << 22) | (proximity << 15) | (attribute << 7) | (whole << 5) | (16 - exact);
}

/** Returns whether every token of the field at `start`, not counting extra tokens, is a word at its best level, and every word is there. */
function hasOnlyWords(start: usize, marks: usize, patterns: usize, words: u32, best: usize): bool {
  let at = start + 1;
  let four = load<u32>(at), last = lastBit(four);
  at += ((last >> 3) + 1) as usize;
  const end = at + (valueOf(four, last) as usize);
  let seen: u32 = 0;
  while (at < end) {
    four = load<u32>(at);
    last = lastBit(four);
    at += ((last >> 3) + 1) as usize;
    const code = valueOf(four, last);
    if (code == 1) continue;
    if (code == 0) {
      at += ((lastBit(load<u32>(at)) >> 3) + 1) as usize;
      at += ((lastBit(load<u32>(at)) >> 3) + 1) as usize;
      continue;
    }
    const pattern: u32 = load<u16>(marks + ((code as usize) << 1));
    if (pattern == 0) return false;
    const levels = patterns + ((pattern * words) << 2);
    let isWord = false;
    for (let w: u32 = 0; w < words; w++) {
      const level: u32 = load<u8>(levels + w) & 127;
      if (level == 9 || level != load<u8>(best + w)) continue;
      isWord = true;
      seen |= 1 << w;
    }
    if (!isWord) return false;
  }
  return seen == (1 << words) - 1;
}

/** Implements `Kernels.markRanges`. */
export function markRanges(codes: usize, ranges: usize, count: u32, marks: usize, markFilter: usize, table: usize, first: u32): u32 {
  let next = first;
  const end = ranges + ((count as usize) << 3);
  for (; ranges < end; ranges += 8) {
    const to = load<u32>(ranges, 4);
    for (let term = load<u32>(ranges); term < to; term++) {
      const code = load<u32>(codes + ((term as usize) << 2));
      const mark = marks + ((code as usize) << 1);
      const become = table + ((load<u16>(mark) as usize) << 1);
      let own: u32 = load<u16>(become);
      if (own == 0) {
        own = next++;
        store<u16>(become, own as u16);
      }
      store<u16>(mark, own as u16);
      const at = markFilter + ((code & 0x7fff) >> 5 << 2);
      store<u32>(at, load<u32>(at) | (1 << (code & 31)));
    }
  }
  return next - first;
}

/** Clears the marks of the terms in `count` ranges (from, to). */
export function clearMarks(codes: usize, ranges: usize, count: u32, marks: usize): void {
  const end = ranges + ((count as usize) << 3);
  for (; ranges < end; ranges += 8) {
    const to = load<u32>(ranges, 4);
    for (let term = load<u32>(ranges); term < to; term++) {
      store<u16>(marks + ((load<u32>(codes + ((term as usize) << 2)) as usize) << 1), 0);
    }
  }
}

/** Implements `Kernels.markedTokens`. */
export function markedTokens(start: usize, end: usize, marks: usize, markFilter: usize, fields: u32, out: usize, most: u32): u32 {
  let found: u32 = 0;
  let at = start;
  while (at < end) {
    const field: u32 = load<u8>(at++);
    let four = load<u32>(at), last = lastBit(four);
    at += ((last >> 3) + 1) as usize;
    const fieldEnd = at + (valueOf(four, last) as usize);
    if (((fields >> field) & 1) == 0) {
      at = fieldEnd;
      continue;
    }
    while (at < fieldEnd) {
      four = load<u32>(at);
      last = lastBit(four);
      at += ((last >> 3) + 1) as usize;
      let code = valueOf(four, last);
      if (code == 1) continue;
      if (code == 0) {
        four = load<u32>(at);
        last = lastBit(four);
        at += ((last >> 3) + 1) as usize;
        code = valueOf(four, last);
        // Skips the position count of the extra token.
        at += ((lastBit(load<u32>(at)) >> 3) + 1) as usize;
      }
      if (((load<u32>(markFilter + ((code & 0x7fff) >> 5 << 2)) >> (code & 31)) & 1) == 0) continue;
      if (load<u16>(marks + ((code as usize) << 1)) == 0) continue;
      if (found == most) return found;
      const pair = out + ((found as usize) << 3);
      store<u32>(pair, field);
      store<u32>(pair, code, 4);
      found++;
    }
  }
  return found;
}

/** The proximity cost of two words: that of their cheapest pair of occurrences. Both lists ascend, so only nearest pairs are compared. */
function nearest(work: usize, positions: usize, left: u32, right: u32): u32 {
  let p = positions + (((left * maxOccurrences) as usize) << 2), q = positions + (((right * maxOccurrences) as usize) << 2);
  const lastP = p + ((load<u32>(work + (left << 2)) as usize) << 2), firstQ = q, lastQ = q + ((load<u32>(work + (right << 2)) as usize) << 2);
  let best: u32 = 8;
  for (; p < lastP; p += 4) {
    const place = load<u32>(p);
    while (q < lastQ && load<u32>(q) < place) q += 4;
    if (q > firstQ) best = min<u32>(best, place - load<u32>(q - 4) + 1);
    let ahead = q;
    while (ahead < lastQ && load<u32>(ahead) == place) {
      best = min<u32>(best, 2);
      ahead += 4;
    }
    if (ahead < lastQ) best = min<u32>(best, load<u32>(ahead) - place);
  }
  return best;
}
