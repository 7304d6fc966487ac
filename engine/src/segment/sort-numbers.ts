const digitBits = 11;
const digits = 6;
const buckets = 1 << digitBits;

/**
 * The places of all numbers but NaN, in ascending order of number, equal ones in order of place. Sorted by digits of eleven bits from the
 * lowest up; a digit in which all numbers agree is passed over, as most low ones of whole numbers are.
 */
export function sortNumbers(numbers: Float64Array): Uint32Array {
  const halves = new Uint32Array(numbers.slice().buffer);
  const present = new Uint32Array(numbers.length);
  const counts = new Uint32Array(digits * buckets);
  let known = 0;
  for (let place = 0; place < numbers.length; place++) {
    if (Number.isNaN(numbers[place]!)) continue;
    present[known++] = place;
    makeRising(halves, place * 2);
    for (let digit = 0; digit < digits; digit++) counts[digit * buckets + digitOf(halves, place * 2, digit)]!++;
  }
  let from = present.subarray(0, known);
  let to = new Uint32Array(known);
  for (let digit = 0; digit < digits; digit++) {
    const own = counts.subarray(digit * buckets, (digit + 1) * buckets);
    if (known === 0 || own[digitOf(halves, from[0]! * 2, digit)] === known) continue;
    let next = 0;
    for (let bucket = 0; bucket < buckets; bucket++) {
      const count = own[bucket]!;
      own[bucket] = next;
      next += count;
    }
    for (let at = 0; at < known; at++) {
      const place = from[at]!;
      to[own[digitOf(halves, place * 2, digit)]!++] = place;
    }
    [from, to] = [to, from];
  }
  return from;
}

/** Turns the bits of a number into some that rise with it when read as a whole number: negative ones are turned over, others get the top bit. */
function makeRising(halves: Uint32Array, at: number): void {
  const upper = halves[at + 1]!;
  if (upper >>> 31 === 1) {
    halves[at] = ~halves[at]!;
    halves[at + 1] = ~upper;
  } else halves[at + 1] = upper | 0x80000000;
}

function digitOf(halves: Uint32Array, at: number, digit: number): number {
  const bit = digit * digitBits;
  if (bit >= 32) return (halves[at + 1]! >>> (bit - 32)) & (buckets - 1);
  if (bit + digitBits <= 32) return (halves[at]! >>> bit) & (buckets - 1);
  return ((halves[at]! >>> bit) | (halves[at + 1]! << (32 - bit))) & (buckets - 1);
}
