// Finds terms near a word by optimal string alignment (insert, delete, substitute, swap neighbours). The dictionary is sorted, so it is
// traversed like a trie: states are kept per letter, the next term resumes where it differs from the previous one, and when the budget is
// exceeded all terms with the same prefix are skipped. A state is one column of the distance table, stored as differences between
// neighbours in the bits of two words (Hyyrö 2003).

/** Per depth: differences up and down, diagonal, the letter's positions in the word (u64 each), bytes read, distance, best (u32). */
const stateBytes: usize = 48;
const letterTableBytes: usize = 1024;

/** Returns the positions of a letter in the word; ASCII letters are looked up in a table. */
// @ts-ignore: decorator
@inline
function placesOf(letter: u32, word: usize, width: u32, table: usize): u64 {
  if (letter < 128) return load<u64>(table + ((letter as usize) << 3));
  let places: u64 = 0;
  for (let i: u32 = 0; i < width; i++) if (load<u32>(word + (i << 2)) == letter) places |= (1 as u64) << i;
  return places;
}

/** The smallest distance in the column after `depth` letters, if within the budget; cells further from the diagonal always exceed it. */
// @ts-ignore: decorator
@inline
function leastOf(up: u64, down: u64, depth: u32, width: u32, budget: u32): u32 {
  const first = depth > budget ? depth - budget : 0;
  if (first > width) return budget + 1;
  const below: u64 = first == 0 ? 0 : (0xffffffffffffffff as u64) >> (64 - first);
  let value = depth + (popcnt<u64>(up & below) as u32) - (popcnt<u64>(down & below) as u32);
  let least = value;
  const last = min<u32>(depth + budget, width);
  for (let i = first; i < last; i++) {
    value += ((up >> i) & 1) as u32;
    value -= ((down >> i) & 1) as u32;
    least = min<u32>(least, value);
  }
  return least;
}

/** Returns the first term after `index` and before `to` that shares fewer than `length` bytes with its predecessor. */
function endOfSharedPrefix(sharedPrefixes: usize, index: u32, to: u32, length: u32): u32 {
  const wanted = i8x16.splat(length as i8);
  for (let at = index + 1; at < to; at += 16) {
    const fewer = i8x16.bitmask(i8x16.lt_u(v128.load(sharedPrefixes + (at as usize)), wanted));
    if (fewer != 0) return min<u32>(to, at + ctz<i32>(fewer));
  }
  return to;
}

/** Implements `Kernels.nearTerms`. */
export function nearTerms(
  terms: usize, offsets: usize, sharedPrefixes: usize, from: u32, to: u32, word: usize, width: u32, budget: u32, prefix: u32, work: usize, out: usize, most: u32,
): u32 {
  memory.fill(work, 0, letterTableBytes);
  for (let i: u32 = 0; i < width; i++) {
    const letter = load<u32>(word + (i << 2));
    if (letter < 128) {
      const at = work + ((letter as usize) << 3);
      store<u64>(at, load<u64>(at) | ((1 as u64) << i));
    }
  }
  const root = work + letterTableBytes;
  store<u64>(root, 0xffffffffffffffff);
  store<u64>(root, 0, 8);
  store<u64>(root, 0, 16);
  store<u64>(root, 0, 24);
  store<u32>(root, 0, 32);
  store<u32>(root, width, 36);
  store<u32>(root, width, 40);
  let depth: u32 = 0, state = root, found: u32 = 0;
  let index = from;
  while (index < to && found < most) {
    const head = offsets + ((index as usize) << 2);
    const start = terms + (load<u32>(head) as usize), end = terms + (load<u32>(head, 4) as usize);
    let at = start + (load<u32>(state, 32) as usize);
    // dead: no longer term can match. isFinal: no longer prefix can improve the best distance.
    let dead = false, isFinal = false;
    while (at < end) {
      let letter: u32 = load<u8>(at++);
      if (letter > 127) {
        if (letter < 0xe0) letter = ((letter & 0x1f) << 6) | (load<u8>(at++) & 0x3f);
        else if (letter < 0xf0) {
          letter = ((letter & 0x0f) << 12) | (((load<u8>(at) & 0x3f) as u32) << 6) | (load<u8>(at, 1) & 0x3f);
          at += 2;
        } else {
          letter = ((letter & 0x07) << 18) | (((load<u8>(at) & 0x3f) as u32) << 12) | (((load<u8>(at, 1) & 0x3f) as u32) << 6) | (load<u8>(at, 2) & 0x3f);
          at += 3;
        }
      }
      const places = placesOf(letter, word, width, work);
      const up = load<u64>(state), down = load<u64>(state, 8);
      const diagonal =
        (((~load<u64>(state, 16) & places) << 1) & load<u64>(state, 24)) | (((places & up) + up) ^ up) | places | down;
      let right = down | ~(diagonal | up), left = diagonal & up;
      const distance = load<u32>(state, 36) + (((right >> (width - 1)) & 1) as u32) - (((left >> (width - 1)) & 1) as u32);
      right = (right << 1) | 1;
      left <<= 1;
      const nextUp = left | ~(diagonal | right), nextDown = right & diagonal;
      const best = min<u32>(load<u32>(state, 40), distance);
      depth++;
      state += stateBytes;
      store<u64>(state, nextUp);
      store<u64>(state, nextDown, 8);
      store<u64>(state, diagonal, 16);
      store<u64>(state, places, 24);
      store<u32>(state, (at - start) as u32, 32);
      store<u32>(state, distance, 36);
      store<u32>(state, best, 40);
      const least = leastOf(nextUp, nextDown, depth, width, budget);
      dead = least > budget;
      isFinal = prefix != 0 && best <= least;
      if (dead || isFinal) break;
    }
    const jumps = dead || isFinal;
    const distance: u32 = prefix != 0 ? load<u32>(state, 40) : load<u32>(state, 36);
    const next = jumps ? endOfSharedPrefix(sharedPrefixes, index, to, (at - start) as u32) : index + 1;
    if (distance > 0 && distance <= budget && (prefix != 0 || !dead)) {
      const range = out + (found as usize) * 12;
      store<u32>(range, index);
      store<u32>(range, next, 4);
      store<u32>(range, distance, 8);
      found++;
    }
    index = next;
    if (index < to) {
      const kept: u32 = load<u8>(sharedPrefixes + (index as usize));
      while (load<u32>(state, 32) > kept) {
        state -= stateBytes;
        depth--;
      }
    }
  }
  return found;
}

/** Terms per bit of the trigram index. */
const groupTerms: u32 = 16;

// @ts-ignore: decorator
@inline
function matchesAt(at: usize, needle: usize, length: u32): bool {
  for (let i: u32 = 1; i < length; i++) if (load<u8>(at + i) != load<u8>(needle + i)) return false;
  return true;
}

/** Implements `Kernels.termsWith`. */
export function termsWith(
  terms: usize, offsets: usize, size: u32, trigramIndex: usize, words: u32, rows: usize, rowCount: u32, needle: usize, length: u32, from: u32, out: usize, most: u32,
): u32 {
  const first = i8x16.splat(load<i8>(needle)), last = i8x16.splat(load<i8>(needle + length - 1));
  let found: u32 = 0;
  for (let w = from / groupTerms / 32; w < words; w++) {
    let groups: u32 = 0xffffffff;
    for (let r: u32 = 0; r < rowCount && groups != 0; r++) {
      groups &= load<u32>(trigramIndex + (((load<u32>(rows + (r << 2)) * words + w) as usize) << 2));
    }
    for (; groups != 0; groups &= groups - 1) {
      let term = ((w << 5) + ctz<u32>(groups)) * groupTerms;
      if (term < from) continue;
      if (term >= size) return found;
      if (found + groupTerms > most) return found;
      const stop = min<u32>(term + groupTerms, size);
      let at = terms + (load<u32>(offsets + ((term as usize) << 2)) as usize);
      const end = terms + (load<u32>(offsets + ((stop as usize) << 2)) as usize);
      // The end of the current term; matches before `done` have been handled.
      let termEnd = at, done = at;
      for (; at + length <= end; at += 16) {
        let bits = i8x16.bitmask(v128.and(i8x16.eq(v128.load(at), first), i8x16.eq(v128.load(at + length - 1), last)));
        for (; bits != 0; bits &= bits - 1) {
          const place = at + (ctz<i32>(bits) as usize);
          if (place < done) continue;
          if (place + length > end) break;
          if (!matchesAt(place, needle, length)) continue;
          while (termEnd <= place) {
            term++;
            termEnd = terms + (load<u32>(offsets + ((term as usize) << 2)) as usize);
          }
          if (place + length > termEnd) continue;
          store<u32>(out + ((found as usize) << 2), term - 1);
          found++;
          done = termEnd;
        }
      }
    }
  }
  return found;
}
