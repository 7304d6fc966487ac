/**
 * The ranking rules of engine/RULES.md as one number. Each clause of a request adds a whole number, and each rule has its own range of bits,
 * so that the sum orders documents by the rules in sequence. The server sums 32-bit floats, which are exact up to 2^24.
 *
 * | rule | one word or pair adds | bits |
 * |---|---|---|
 * | typo | base − level | 19 to 23 (14 to 22 when words may be missing, which counts words as well) |
 * | proximity | 0 to 3 for each pair of neighbours | 14 to 18 |
 * | attribute | more for an earlier field, at most 25 | 6 to 13 |
 * | exactness | 1 for an exact word, 11 or 22 when a variant or a field is all of the query | 0 to 5 |
 *
 * Unlike in the engine, proximity has four classes, and a phrase counts as one word.
 */
export interface Weights {
  word(level: number, field: number, exact: boolean): number;
  /** 3: adjacent, 2: nearly, 1: within seven positions. */
  proximity(closeness: 1 | 2 | 3): number;
  whole(variant: boolean): number;
  /** The score from 0 to 1 for the sum of a document. */
  score(sum: number, parts: number): number;
}

const wholeStep = 11;
const attributeUnit = 2 ** 6;
const proximityUnit = 2 ** 14;
const costs = [8, 5, 2, 1] as const;

/** `partial`: only the first words of the query must match. */
export function weightsFor(textFields: number, partial: boolean): Weights {
  const typoUnit = partial ? proximityUnit : 2 ** 19;
  const base = partial ? 31 : 3;
  const last = Math.max(1, textFields - 1);
  const attributeScale = Math.min(1, 25 / last);
  const attribute = (field: number): number => Math.round((last - Math.min(field, last)) * attributeScale);
  const best = attribute(0);
  return {
    word: (level, field, exact) => (base - level) * typoUnit + attribute(field) * attributeUnit + (exact ? 1 : 0),
    proximity: (closeness) => closeness * proximityUnit,
    whole: (variant) => (variant ? 1 : 2) * wholeStep,
    score(sum, parts) {
      const typo = Math.floor(sum / typoUnit);
      const matched = partial ? Math.min(parts, Math.ceil(typo / base)) : parts;
      const levels = matched * base - typo;
      const pairs = matched - 1;
      const closeness = partial ? pairs * 3 : Math.floor((sum % typoUnit) / proximityUnit);
      const cost = pairs > 0 ? (costs[Math.min(3, Math.round(closeness / pairs))] ?? 8) : 1;
      const attributes = Math.floor((sum % proximityUnit) / attributeUnit);
      const exactness = sum % attributeUnit;
      const whole = Math.floor(Math.min(exactness, 2 * wholeStep) / wholeStep);
      const exact = exactness - whole * wholeStep;
      const score =
        0.5 * (matched / parts) +
        0.25 * (1 - levels / (3 * matched)) +
        0.125 * (1 - (cost - 1) / 7) +
        0.0825 * (attributes / Math.max(1, matched * best)) +
        0.0425 * (whole === 2 ? 1 : whole === 1 ? 0.95 : 0.9 * Math.min(1, exact / matched));
      return Math.min(1, Math.max(0, score));
    },
  };
}
