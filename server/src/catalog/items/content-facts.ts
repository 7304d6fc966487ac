import { type RawBuilder, sql } from 'kysely';

/** Whether a fact is content, which needs the right to search contents: recognised text, and the names of archive members. */
export function isContentFact(name: string): boolean {
  const parts = name.toLowerCase().split('.');
  return parts.includes('ocr_text') || (parts[0] === 'archive' && parts[1] === 'members');
}

/** Extracted metadata in SQL without content. */
export function factsOf(alias: string): RawBuilder<unknown> {
  return sql`(${sql.ref(`${alias}.metadata`)} - 'ocr_text' #- '{archive,members}')`;
}

/** Recognised text has its own route. The names of archive members are shown to those who may search contents. */
export function withoutContent({ ocr_text: _, ...facts }: Record<string, unknown>, mayReadContent: boolean): Record<string, unknown> {
  const { archive } = facts;
  if (mayReadContent || typeof archive !== 'object' || archive === null) return facts;
  const { members: _names, ...rest } = archive as Record<string, unknown>;
  return { ...facts, archive: rest };
}
