/** The service draws a model from 24 sides into one picture: six tiles wide, four high, left to right, then down. */
export const COLUMNS = 6;
export const ROWS = 4;
export const VIEWS = COLUMNS * ROWS;

export function tileOf(view: number): { column: number; row: number } {
  return { column: view % COLUMNS, row: Math.floor(view / COLUMNS) };
}

/** Going on past the last view comes round to the first. */
export const turned = (view: number, by: number): number => (((view + by) % VIEWS) + VIEWS) % VIEWS;
