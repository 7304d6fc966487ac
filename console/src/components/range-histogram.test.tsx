import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { formatBytes } from '../format/numbers.ts';
import { renderWithProviders } from '../test-render.tsx';
import { parseSize, RangeHistogram } from './range-histogram.tsx';

function setup(from: number | null = null) {
  const onChange = vi.fn();
  renderWithProviders(
    <RangeHistogram
      label="Size"
      bars={[]}
      min={1000}
      max={1e9}
      from={from}
      to={null}
      log
      format={formatBytes}
      parse={parseSize}
      onChange={onChange}
    />,
  );
  return onChange;
}

test('both ends of a range can be typed', async () => {
  const onChange = setup();
  const field = screen.getByLabelText('Size from');
  await userEvent.clear(field);
  await userEvent.type(field, '10 MB{Enter}');
  expect(onChange).toHaveBeenCalledWith(10_000_000, null);
});

test('a handle at the end of the axis means no limit', () => {
  const onChange = setup(1e6);
  const low = screen.getByLabelText('Size, from');
  fireEvent.change(low, { target: { value: '0' } });
  fireEvent.pointerUp(low);
  expect(onChange).toHaveBeenLastCalledWith(null, null);
});

test('input that is not a size leaves the range unchanged', async () => {
  const onChange = setup();
  const field = screen.getByLabelText('Size to');
  await userEvent.clear(field);
  await userEvent.type(field, 'huge{Enter}');
  expect(onChange).not.toHaveBeenCalled();
});

test('sizes are parsed as people write them', () => {
  expect([parseSize('1.5g'), parseSize('2 KiB'), parseSize('7'), parseSize('x')]).toEqual([1.5e9, 2048, 7, null]);
});

test('the upper end of a range is the last value of what was typed', async () => {
  const onChange = vi.fn();
  renderWithProviders(
    <RangeHistogram
      label="Modified"
      bars={[]}
      min={0}
      max={1e9}
      from={null}
      to={null}
      format={String}
      parse={(_, end) => (end ? 9 : 1)}
      onChange={onChange}
    />,
  );
  for (const end of ['from', 'to']) {
    const field = screen.getByLabelText(`Modified ${end}`);
    await userEvent.clear(field);
    await userEvent.type(field, '2023{Enter}');
  }
  expect(onChange.mock.calls).toEqual([
    [1, null],
    [null, 9],
  ]);
});
