import { lastBit, valueOf } from './varint.as';

// Applies rules 3 to 5 to documents that contain every counted word at level 0, without reading long texts completely. Each word except a
// prefix word is then a single term: its code is searched sixteen bytes at a time, and only the surroundings of a hit are decoded.

const unknown: u32 = 0xffffffff;
const noField: u32 = 255;
const far: u32 = 8;
/** A chunk has at most forty parts of up to four bytes, directly followed by its few extra tokens. */
const farthestBytes: usize = 256;
/** Texts that contain a word more often are left to the caller. */
const maxOccurrences: u32 = 12;

// @ts-ignore: decorator
@inline
function varintAt(at: usize): u32 {
  const four = load<u32>(at);
  return valueOf(four, lastBit(four));
}

/** Returns the start of the varint that ends before `at`. */
// @ts-ignore: decorator
@inline
function before(at: usize, start: usize): usize {
  at--;
  while (at > start && load<u8>(at - 1) > 127) at--;
  return at;
}

/** Returns the bytes of a code as they appear in a stream, low byte first. */
function packed(code: u32): u32 {
  if (code < 0x80) return code;
  if (code < 0x4000) return (code & 0x7f) | 0x80 | ((code >> 7) << 8);
  if (code < 0x200000) return (code & 0x7f) | 0x80 | ((((code >> 7) & 0x7f) | 0x80) << 8) | ((code >> 14) << 16);
  return (code & 0x7f) | 0x80 | ((((code >> 7) & 0x7f) | 0x80) << 8) | ((((code >> 14) & 0x7f) | 0x80) << 16) | ((code >> 21) << 24);
}

/** Returns the first address ≥ `at` in the stream start … end - 1 where the packed code is a token or extra token; 0 when there is none. */
function findCode(at: usize, start: usize, end: usize, code: u32): usize {
  const last = lastBit(code);
  const bytes: u32 = 0xffffffff >> (24 - (last & 24));
  const first = i8x16.splat(code as i8), second = i8x16.splat((code >> 8) as i8);
  while (at < end) {
    let same = i8x16.eq(v128.load(at), first);
    if (last > 7) same = v128.and(same, i8x16.eq(v128.load(at, 1), second));
    if (v128.any_true(same)) {
      for (let bits = i8x16.bitmask(same); bits != 0; bits &= bits - 1) {
        const place = at + (ctz<i32>(bits) as usize);
        if (place >= end) return 0;
        if ((load<u32>(place) & bytes) != code) continue;
        if (place == start) return place;
        // Skip matches inside a longer code, and the position count of an extra token.
        if (load<u8>(place - 1) > 127) continue;
        const previous = before(place, start);
        if (previous > start && load<u8>(previous - 1) == 0) continue;
        return place;
      }
    }
    at += 16;
  }
  return 0;
}

// @ts-ignore: decorator
@inline
function costOf(code: u32, distance: i32, marks: usize, levels: usize, words: u32): u32 {
  if (distance < -6 || distance > 7) return far;
  const pattern: u32 = load<u16>(marks + ((code as usize) << 1));
  if (pattern == 0 || (load<u8>(levels + ((pattern * words) << 2)) & 127) != 0) return far;
  return distance > 0 ? distance : distance == 0 ? 2 : 1 - distance;
}

/** Extra tokens follow their parts in the stream but have an earlier position, so they can be near although their entries are not. */
function costOfLaterExtras(from: usize, end: usize, next: i32, marks: usize, levels: usize, words: u32): u32 {
  let best = far;
  const stop = min<usize>(end, from + farthestBytes);
  let at = from;
  while (at < stop) {
    const zeros = i8x16.eq(v128.load(at), i8x16.splat(0));
    if (v128.any_true(zeros)) {
      for (let bits = i8x16.bitmask(zeros); bits != 0; bits &= bits - 1) {
        const mark = at + (ctz<i32>(bits) as usize);
        if (mark >= stop) return best;
        const four = load<u32>(mark + 1), last = lastBit(four), code = valueOf(four, last);
        const pattern: u32 = load<u16>(marks + ((code as usize) << 1));
        if (pattern == 0 || (load<u8>(levels + ((pattern * words) << 2)) & 127) != 0) continue;
        const back = varintAt(mark + 2 + (last >> 3)) as i32;
        best = min<u32>(best, costOf(code, next + positionsIn(from, mark) - back, marks, levels, words));
      }
    }
    at += 16;
  }
  return best;
}

/** Returns the number of positions that the entries from … end - 1 advance. */
function positionsIn(at: usize, end: usize): i32 {
  let positions: i32 = 0;
  while (at < end) {
    const four = load<u32>(at), last = lastBit(four);
    at += ((last >> 3) + 1) as usize;
    const code = valueOf(four, last);
    if (code >= 2) positions++;
    else if (code == 1) positions += 8;
    else {
      at += ((lastBit(load<u32>(at)) >> 3) + 1) as usize;
      at += ((lastBit(load<u32>(at)) >> 3) + 1) as usize;
    }
  }
  return positions;
}

/** Returns the lowest cost between the token at `place` and the word whose level in the first pattern is at `levels`. */
function costAround(place: usize, start: usize, end: usize, marks: usize, levels: usize, words: u32): u32 {
  let best = far;
  let entry = place;
  // Positions are relative to the next free position at the entry.
  let own: i32 = 0;
  if (place > start && load<u8>(place - 1) == 0) {
    entry = place - 1;
    const four = load<u32>(place);
    own = -(varintAt(place + ((lastBit(four) >> 3) + 1)) as i32);
  }
  let at = entry;
  let next: i32 = 0;
  while (at < end && next <= own + 7) {
    const four = load<u32>(at), last = lastBit(four);
    at += ((last >> 3) + 1) as usize;
    const code = valueOf(four, last);
    if (code >= 2) {
      best = min<u32>(best, costOf(code, next - own, marks, levels, words));
      next++;
      if (best == 1) return 1;
    } else if (code == 1) {
      next += 8;
    } else {
      const extra = load<u32>(at), extraLast = lastBit(extra);
      at += ((extraLast >> 3) + 1) as usize;
      const back = load<u32>(at), backLast = lastBit(back);
      at += ((backLast >> 3) + 1) as usize;
      best = min<u32>(best, costOf(valueOf(extra, extraLast), next - (valueOf(back, backLast) as i32) - own, marks, levels, words));
    }
  }
  best = min<u32>(best, costOfLaterExtras(at, end, next - own, marks, levels, words));
  at = entry;
  next = 0;
  while (at > start && next > own - 6) {
    const first = before(at, start);
    if (first > start) {
      const second = before(first, start);
      // Zero only occurs as the marker of an extra token.
      if (second > start && load<u8>(second - 1) == 0) {
        best = min<u32>(best, costOf(varintAt(second), next - (varintAt(first) as i32) - own, marks, levels, words));
        at = second - 1;
        continue;
      }
    }
    const code = varintAt(first);
    at = first;
    if (code == 1) next -= 8;
    else {
      next--;
      best = min<u32>(best, costOf(code, next - own, marks, levels, words));
    }
  }
  return best;
}

/** Returns whether the field contains a term of the word at level 0. */
function containsWord(at: usize, end: usize, marks: usize, levels: usize, words: u32): bool {
  while (at < end) {
    const four = load<u32>(at), last = lastBit(four);
    at += ((last >> 3) + 1) as usize;
    let code = valueOf(four, last);
    if (code == 1) continue;
    if (code == 0) {
      const extra = load<u32>(at), extraLast = lastBit(extra);
      at += ((extraLast >> 3) + 1) as usize;
      at += ((lastBit(load<u32>(at)) >> 3) + 1) as usize;
      code = valueOf(extra, extraLast);
    }
    const pattern: u32 = load<u16>(marks + ((code as usize) << 1));
    if (pattern != 0 && (load<u8>(levels + ((pattern * words) << 2)) & 127) == 0) return true;
  }
  return false;
}

/** Returns whether the field has as many tokens as words, not counting extra tokens, each is a word at level 0, and every word is there. */
function hasOnlyWords(at: usize, end: usize, marks: usize, patterns: usize, words: u32): bool {
  let tokens: u32 = 0, seen: u32 = 0;
  while (at < end) {
    const four = load<u32>(at), last = lastBit(four);
    at += ((last >> 3) + 1) as usize;
    const code = valueOf(four, last);
    if (code == 1) continue;
    if (code == 0) {
      at += ((lastBit(load<u32>(at)) >> 3) + 1) as usize;
      at += ((lastBit(load<u32>(at)) >> 3) + 1) as usize;
      continue;
    }
    if (++tokens > words) return false;
    const pattern: u32 = load<u16>(marks + ((code as usize) << 1));
    if (pattern == 0) return false;
    const levels = patterns + ((pattern * words) << 2);
    let isWord = false;
    for (let w: u32 = 0; w < words; w++) {
      if ((load<u8>(levels + w) & 127) != 0) continue;
      isWord = true;
      seen |= 1 << w;
    }
    if (!isWord) return false;
  }
  return tokens == words && seen == (1 << words) - 1;
}

/** Implements `Kernels.rankNear`. */
export function rankNear(
  docs: usize, count: u32, forward: usize, starts: usize, marks: usize, patterns: usize, exactCodes: usize, words: u32,
  counted: u32, prefixed: u32, searched: u32, variants: u32, work: usize, out: usize,
): void {
  // For each word: its code as bytes of a stream (u32), its first field, and its cost to the next word (u8).
  const fields = work + 64, costs = work + 80;
  for (let w: u32 = 0; w < words; w++) store<u32>(work + (w << 2), packed(load<u32>(exactCodes + (w << 2))));
  for (let i: u32 = 0; i < count; i++) {
    const head = starts + ((load<u32>(docs + ((i as usize) << 2)) as usize) << 2);
    let at = forward + (load<u32>(head) as usize);
    const end = forward + (load<u32>(head, 4) as usize);
    memory.fill(fields, noField as u8, 16);
    memory.fill(costs, far as u8, 16);
    let whole: u32 = 2, full = false, prefixExact: u32 = 0;
    // The last field that has not been searched for the prefix word yet. If no other field contains the word, this one must.
    let pendingField = noField, pendingStart: usize = 0, pendingEnd: usize = 0;
    while (at < end) {
      const field: u32 = load<u8>(at++);
      const four = load<u32>(at), last = lastBit(four);
      at += ((last >> 3) + 1) as usize;
      const start = at;
      at += valueOf(four, last) as usize;
      if (((searched >> field) & 1) == 0) continue;
      const own: u32 = (variants >> field) & 1;
      if (own < whole && hasOnlyWords(start, at, marks, patterns, words)) whole = own;
      for (let w: u32 = 0; w < words; w++) {
        if (((counted >> w) & 1) == 0) continue;
        const code = load<u32>(work + (w << 2));
        if ((prefixed >> w) & 1) {
          if (!prefixExact && code != 0 && findCode(start, start, at, code) != 0) prefixExact = 1;
          if (load<u8>(fields + w) != noField) continue;
          if (pendingField != noField && containsWord(pendingStart, pendingEnd, marks, patterns + w, words)) store<u8>(fields + w, pendingField as u8);
          pendingField = field;
          pendingStart = start;
          pendingEnd = at;
          continue;
        }
        const right = nextOf(counted, w, words);
        if (load<u8>(fields + w) != noField && (right == words || load<u8>(costs + w) == 1)) continue;
        let place = findCode(start, start, at, code);
        if (place == 0) continue;
        if (load<u8>(fields + w) == noField) store<u8>(fields + w, field as u8);
        if (right == words) continue;
        let cost: u32 = load<u8>(costs + w);
        for (let seen: u32 = 0; place != 0 && cost > 1; seen++) {
          if (seen == maxOccurrences) {
            full = true;
            break;
          }
          cost = min<u32>(cost, costAround(place, start, at, marks, patterns + right, words));
          place = findCode(place + 1, start, at, code);
        }
        store<u8>(costs + w, cost as u8);
      }
    }
    let matched: u32 = 0, proximity: u32 = 0, attribute: u32 = 0, exact: u32 = 0;
    for (let w: u32 = 0; w < words; w++) {
      if (((counted >> w) & 1) == 0) continue;
      matched++;
      const field: u32 = load<u8>(fields + w);
      attribute += field == noField ? pendingField : field;
      exact += (prefixed >> w) & 1 ? prefixExact : 1;
      if (nextOf(counted, w, words) != words) proximity += load<u8>(costs + w);
    }
    const key = ((15 - matched) << 28) | (proximity << 15) | (attribute << 7) | (whole << 5) | (16 - exact);
    store<u32>(out + ((i as usize) << 2), full ? unknown : key);
  }
}

/** Returns the next counted word after w, or the number of words. */
// @ts-ignore: decorator
@inline
function nextOf(counted: u32, w: u32, words: u32): u32 {
  const rest = counted >> w >> 1;
  return rest == 0 ? words : w + 1 + ctz<u32>(rest);
}
