import type { SearchHit, SearchResponse } from '../../api/types.ts';

/*
 * The pages of hits of one question that are here.
 * The first page is small so that typing feels instant; the others hold 200. Plain scrolling asks with the cursor of the page before;
 * a far jump asks by place. Pages far from the view are forgotten again, so that a million hits never lie in memory;
 * only which rows are taller is remembered for good, so that nothing moves when one comes back.
 */
export const FIRST = 60;
export const NEXT = 200;
const MOST_PAGES = 80;

export interface Book {
  answer: SearchResponse;
  pages: Map<number, SearchHit[]>;
  /** Pages of the answer before to the same question: shown until theirs come again. */
  before: ReadonlyMap<number, SearchHit[]>;
  /** The cursor after a page. */
  cursors: Map<number, string>;
  /** Taller rows of a page. */
  tall: Map<number, number[]>;
  asking: Map<number, AbortController>;
  /** Pages in view, both included. */
  wanted: [first: number, last: number];
}

export const pageOf = (row: number): number => (row < FIRST ? 0 : 1 + Math.floor((row - FIRST) / NEXT));
export const rowOf = (page: number): number => (page === 0 ? 0 : FIRST + (page - 1) * NEXT);

/** A row with a piece of its text is taller. */
export const isTall = (hit: SearchHit | undefined): boolean => Boolean(hit?.snippet);

/** A new book. When the answer to the same question is renewed, what stood in the book before is shown until it comes again. */
export function openBook(answer: SearchResponse, before: Book | null = null): Book {
  const tall = answer.hits.flatMap((hit, row) => (isTall(hit) ? [row] : []));
  return {
    answer,
    pages: new Map([[0, answer.hits]]),
    before: before?.pages ?? new Map(),
    cursors: new Map(answer.next_cursor ? [[0, answer.next_cursor]] : []),
    tall: new Map([...(before?.tall ?? []), [0, tall]]),
    asking: new Map(),
    wanted: [0, 0],
  };
}

export function closeBook(book: Book | null): void {
  for (const control of book?.asking.values() ?? []) control.abort();
}

export function missingPages(book: Book): number[] {
  const missing: number[] = [];
  for (let page = book.wanted[0]; page <= book.wanted[1]; page += 1) if (!book.pages.has(page)) missing.push(page);
  return missing;
}

export function forgetFar(book: Book): void {
  if (book.pages.size <= MOST_PAGES) return;
  const middle = (book.wanted[0] + book.wanted[1]) / 2;
  const byDistance = [...book.pages.keys()].sort((a, b) => Math.abs(b - middle) - Math.abs(a - middle));
  for (const page of byDistance.slice(0, book.pages.size - MOST_PAGES)) if (page !== 0) book.pages.delete(page);
}

export function tallRowsOf(book: Book): number[] {
  return [...book.tall.keys()].sort((a, b) => a - b).flatMap((page) => book.tall.get(page)!);
}
