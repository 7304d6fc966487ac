import { expect, test } from 'vitest';
import { createTokenizer } from './tokenizer.ts';

const words = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', 'un', '##want', '##ed', 'running', ',', 'a', 'cafe', '漢', '$', '##a', 'σ'];
const tokenizer = createTokenizer({ model: { type: 'WordPiece', vocab: Object.fromEntries(words.map((word, id) => [word, id])) } });
const pieces = (text: string, max = 64): string[] => tokenizer.encode(text, max).map((id) => words[id]!);

test('words are cut into the longest known pieces; what is unknown is one token', () => {
  expect(pieces('unwanted running')).toEqual(['[CLS]', 'un', '##want', '##ed', 'running', '[SEP]']);
  expect(pieces('unwantedX zzz')).toEqual(['[CLS]', '[UNK]', '[UNK]', '[SEP]']);
  expect(pieces('a'.repeat(101))).toEqual(['[CLS]', '[UNK]', '[SEP]']);
});

test('case, accents, control characters and white space do not matter; punctuation and CJK characters are words', () => {
  expect(pieces('RUNNING,\tCafé\0\n$a')).toEqual(['[CLS]', 'running', ',', 'cafe', '$', 'a', '[SEP]']);
  expect(pieces('a漢a')).toEqual(['[CLS]', 'a', '漢', 'a', '[SEP]']);
  expect(pieces('Σ')).toEqual(['[CLS]', 'σ', '[SEP]']);
  expect(pieces('')).toEqual(['[CLS]', '[SEP]']);
});

test('a long text is cut, and its end is still marked', () => {
  expect(pieces('a a a a a a', 4)).toEqual(['[CLS]', 'a', 'a', '[SEP]']);
});

test('another kind of tokenizer is refused with its name', () => {
  expect(() => createTokenizer({ model: { type: 'BPE', vocab: {} } })).toThrow(/type BPE/);
});
