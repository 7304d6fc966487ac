import type { Cell, RowSource } from '../../reports/index.ts';

export const formatNames = ['csv', 'ndjson', 'xml', 'xlsx'] as const;
export type FormatName = (typeof formatNames)[number];

export interface FormatOptions {
  byteOrderMark?: boolean | undefined;
  generatedAt: Date;
}

/** A format that is text from start to end: rows are encoded batch by batch and nothing is kept. */
export interface TextFormat {
  mediaType: string;
  extension: string;
  open(
    source: Pick<RowSource, 'columns' | 'name' | 'title'>,
    options: FormatOptions,
  ): { head: string; rows(batch: Cell[][]): string; tail: string };
}
