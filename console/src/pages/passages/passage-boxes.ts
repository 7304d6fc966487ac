/** A word of a page and its box, in fractions of the page. */
interface PageWord {
  text: string;
  x: number;
  y: number;
  w: number;
  h: number;
}

export type Box = Omit<PageWord, 'text'>;

/** Words that must agree before a place on the page counts as the passage, and how far one side may be ahead of the other. */
const COMPARED = 12;
const AGREEING = 0.6;
const AHEAD = 3;

const tokens = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter(Boolean);

/**
 * Where a passage stands on a page: one box per line. The text of a passage and the words of a page come from different readers and may
 * differ in hyphens and in order, so most of the first words must agree, and single words may be missing on either side. Empty if the
 * passage is not on the page.
 */
export function passageBoxes(words: readonly PageWord[], text: string): Box[] {
  const onPage = words.flatMap((word) => tokens(word.text).map((token) => ({ word, text: token })));
  const wanted = tokens(text);
  const pairs = bestPairs(onPage, wanted);
  const [from, to] = [pairs[0], pairs.at(-1)];
  return from === undefined || to === undefined ? [] : lines(onPage.slice(from, to + 1).map(({ word }) => word));
}

/** The words of the page that a passage consists of, from the place where most of its first words are. */
function bestPairs(onPage: readonly { text: string }[], wanted: readonly string[]): number[] {
  const first = wanted.slice(0, COMPARED);
  let [best, most] = [-1, Math.max(1, Math.ceil(first.length * AGREEING)) - 1];
  for (let at = 0; at < onPage.length; at += 1) {
    if (onPage[at]?.text !== wanted[0] && onPage[at]?.text !== wanted[1]) continue;
    const { length } = pairsFrom(onPage, at, first);
    if (length > most) [best, most] = [at, length];
  }
  return best < 0 ? [] : pairsFrom(onPage, best, wanted);
}

function pairsFrom(onPage: readonly { text: string }[], at: number, wanted: readonly string[]): number[] {
  const found: number[] = [];
  for (let [here, there] = [at, 0]; here < onPage.length && there < wanted.length; ) {
    const pair = nextPair(onPage, here, wanted, there);
    if (!pair) break;
    found.push(pair[0]);
    [here, there] = [pair[0] + 1, pair[1] + 1];
  }
  return found;
}

/** The next pair of equal words, with at most a few words left out on either side. */
function nextPair(onPage: readonly { text: string }[], here: number, wanted: readonly string[], there: number): [number, number] | null {
  for (let left = 0; left <= 2 * AHEAD; left += 1)
    for (let skipped = Math.max(0, left - AHEAD); skipped <= Math.min(left, AHEAD); skipped += 1) {
      const [x, y] = [here + skipped, there + left - skipped];
      if (onPage[x] && onPage[x].text === wanted[y]) return [x, y];
    }
  return null;
}

/** Joins words that follow each other on one line. */
function lines(words: readonly PageWord[]): Box[] {
  const boxes: Box[] = [];
  for (const { x, y, w, h } of words) {
    const last = boxes.at(-1);
    const sameLine = last && Math.abs(last.y + last.h / 2 - (y + h / 2)) < Math.max(last.h, h) / 2 && x >= last.x;
    if (!last || !sameLine) {
      boxes.push({ x, y, w, h });
      continue;
    }
    const [top, bottom] = [Math.min(last.y, y), Math.max(last.y + last.h, y + h)];
    Object.assign(last, { w: Math.max(last.x + last.w, x + w) - last.x, y: top, h: bottom - top });
  }
  return boxes;
}
