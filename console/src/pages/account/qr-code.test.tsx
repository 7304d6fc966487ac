import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderWithProviders } from '../../test-render.tsx';
import { QrCode } from './qr-code.tsx';
import { readQrCode } from './qr-reader.fixture.ts';

const border = 2;

test.each([
  'otpauth://totp/Catalog:ann?secret=JBSWY3DPEHPK3PXP&issuer=Catalog',
  'otpauth://totp/Catalog:%C3%85se%20Lie?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Catalog&algorithm=SHA1&digits=6&period=30',
])('a camera reads the address of the authenticator app from the picture: %s', (text) => {
  renderWithProviders(<QrCode text={text} />);
  const picture = screen.getByRole('img', { name: 'QR code for the authenticator app' });
  const path = picture.querySelector('path')?.getAttribute('d') ?? '';
  const size = Number(picture.getAttribute('viewBox')?.split(' ')[2]) - 2 * border;
  const dark = new Set([...path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => `${Number(x) - border} ${Number(y) - border}`));
  const isDark = (x: number, y: number) => dark.has(`${x} ${y}`);
  for (const [left, top] of [
    [0, 0],
    [size - 7, 0],
    [0, size - 7],
  ] as const)
    for (let at = 0; at < 7; at += 1) expect([isDark(left + at, top), isDark(left, top + at)]).toEqual([true, true]);
  expect(readQrCode(size, isDark)).toBe(text);
});
