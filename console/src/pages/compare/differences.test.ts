import { expect, test } from 'vitest';
import type { Item } from '../../api/types.ts';
import { compareFacts, diffLines, equalContentKey } from './differences.ts';

const item = (changes: Partial<Item>): Item =>
  ({
    library_id: 'l',
    rel_path: 'a/one.jpg',
    filename: 'one.jpg',
    extension: 'jpg',
    file_category: 'image',
    metadata: { width: 600, height: 400 },
    user_metadata: {},
    tags: ['bergen'],
    size: 100,
    mtime: '2023-06-14T10:00:00Z',
    first_seen: '2023-06-14T10:00:00Z',
    last_seen: '2023-06-14T10:00:00Z',
    content_hash: 'aa',
    quick_hash: 'bb',
    ...changes,
  }) as Item;

test('facts that differ are marked, equal ones are not, and a fact that one file lacks differs', () => {
  const facts = compareFacts([item({}), item({ rel_path: 'b/two.jpg', tags: [], metadata: { width: 300, height: 200 } })], () => 'Photos');
  const differing = facts.filter((fact) => fact.differs).map((fact) => fact.label);
  expect(differing).toEqual(['Folder', 'File type', 'Tags']);
  expect(facts.find((fact) => fact.label === 'Folder')?.values).toEqual(['Photos/a', 'Photos/b']);
  expect(facts.find((fact) => fact.label === 'Tags')?.values).toEqual(['bergen', null]);
  expect(facts.find((fact) => fact.label === 'Size')?.differs).toBe(false);
});

test('files are copies of each other only if all have the same content', () => {
  expect(equalContentKey([item({}), item({})])).toBe('aa');
  expect(equalContentKey([item({}), item({ content_hash: 'cc', quick_hash: 'dd' })])).toBeNull();
  expect(equalContentKey([item({ content_hash: null }), item({ content_hash: null })])).toBe('qbb:100');
  expect(equalContentKey([item({})])).toBeNull();
});

test('the lines that only one text has are found', () => {
  const kinds = (left: string, right: string) => diffLines(left, right).map(({ kind, text }) => `${kind} ${text}`);
  expect(kinds('one\ftwo', 'one\nthree')).toEqual(['same one', 'left two', 'right three']);
  expect(kinds('a\nb\nc', 'a\nx\nc')).toEqual(['same a', 'left b', 'right x', 'same c']);
  expect(kinds('a\nb', 'a\nb')).toEqual(['same a', 'same b']);
  expect(kinds('b\nd\ne', 'b\nc\nd')).toEqual(['same b', 'right c', 'same d', 'left e']);
});
