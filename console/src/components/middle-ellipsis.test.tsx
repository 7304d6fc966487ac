import { render, screen } from '@testing-library/react';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitName } from '../format/paths.ts';
import { MiddleEllipsis } from './middle-ellipsis.tsx';

test('the two parts of a split name always join to the name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), (name) => {
      expect(splitName(name).join('')).toBe(name);
    }),
  );
});

test('the end of a long name and its extension stay together', () => {
  expect(splitName('IMG_4417_harbour-evening.jpg')).toEqual(['IMG_4417_harbour-ev', 'ening.jpg']);
});

test('an emoji is not split', () => {
  const [, tail] = splitName('a very long holiday name 👩‍👩‍👧‍👦👩‍👩‍👧‍👦.jpg');
  expect(tail.startsWith('👩‍👩‍👧‍👦')).toBe(true);
});

test('a right-to-left name stays one element with its own direction', () => {
  render(<MiddleEllipsis name="تقرير الميناء النهائي ٢٠٢٣ harbour.pdf" />);
  const name = screen.getByTitle(/harbour\.pdf/);
  expect(name.tagName).toBe('BDI');
  expect(name.childElementCount).toBe(0);
});

test('characters that change the direction of a name are shown, so that it cannot look like another one', () => {
  const { container } = render(<MiddleEllipsis name={'hello\u202egpj.exe'} />);
  expect(container.textContent).toBe('hello\ufffdgpj.exe');
});
