import { useMemo } from 'react';
import { encode } from 'uqr';
import { t } from '../../language/text.ts';

/** A QR code, drawn in the browser: the text contains a secret and never leaves the page. Dark on white in both themes, for cameras. */
export function QrCode({ text }: { text: string }) {
  const { path, size } = useMemo(() => {
    const { data, size: cells } = encode(text, { ecc: 'M', border: 2 });
    const squares = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : [])));
    return { path: squares.join(''), size: cells };
  }, [text]);
  return (
    <svg
      role="img"
      aria-label={t('QR code for the authenticator app')}
      viewBox={`0 0 ${size} ${size}`}
      width={176}
      height={176}
      shapeRendering="crispEdges"
      style={{ background: '#fff', borderRadius: 8 }}
    >
      <path d={path} fill="#000" />
    </svg>
  );
}
