import { useMemo } from 'react';
import { encode } from 'uqr';

/** A QR code, dark on light in both themes, as readers ask. It brings its encoder with it: load this file lazily. */
export function QrCode({ text, label, ecc = 'M' }: { text: string; label: string; ecc?: 'L' | 'M' }) {
  const { path, size } = useMemo(() => drawn(text, ecc), [text, ecc]);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="block w-full rounded-box bg-white"
    >
      <path d={path} fill="#17231c" />
    </svg>
  );
}

/** The dark modules as one path, with the quiet zone of four modules that ISO/IEC 18004 asks for. */
function drawn(text: string, ecc: 'L' | 'M'): { path: string; size: number } {
  const { data, size } = encode(text, { ecc, border: 4 });
  const squares = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
  return { path: squares.join(''), size };
}
