import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderWithProviders } from '../../test-render.tsx';
import { QrCode } from './qr-code.tsx';

test('the authenticator address is shown as a QR code with its three finder patterns', () => {
  renderWithProviders(<QrCode text="otpauth://totp/Catalog:ann?secret=JBSWY3DPEHPK3PXP&issuer=Catalog" />);
  const picture = screen.getByRole('img', { name: 'QR code for the authenticator app' });
  const size = Number(picture.getAttribute('viewBox')?.split(' ')[2]);
  const path = picture.querySelector('path')?.getAttribute('d') ?? '';
  const dark = (x: number, y: number) => path.includes(`M${x} ${y}h1`);
  for (const [left, top] of [
    [2, 2],
    [size - 9, 2],
    [2, size - 9],
  ] as const) {
    for (let at = 0; at < 7; at += 1) expect([dark(left + at, top), dark(left, top + at)]).toEqual([true, true]);
    expect(dark(left + 1, top + 1)).toBe(false);
    expect(dark(left + 3, top + 3)).toBe(true);
  }
});
