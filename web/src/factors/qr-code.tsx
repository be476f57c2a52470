// A QR code as an inline picture: dark on light in both colour schemes, because scanners need it.
import { generate } from 'lean-qr/nano';
import { useMemo } from 'react';
import { BLACK, WHITE } from '../ui/tokens.ts';

/** The light margin around the code, in modules (ISO/IEC 18004 asks for four). */
const MARGIN = 4;

/** The side of the picture in pixels. */
const SIDE = 208;

export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => draw(text), [text]);
  const side = size + 2 * MARGIN;
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${side} ${side}`} width={SIDE} height={SIDE}>
      <rect width={side} height={side} fill={WHITE} rx={1} />
      <path d={path} fill={BLACK} shapeRendering="crispEdges" />
    </svg>
  );
}

/** Returns the dark modules as one path of squares. */
function draw(text: string): { size: number; path: string } {
  const code = generate(text);
  const rows = Array.from({ length: code.size }, (_, index) => index);
  const dark = rows.flatMap((y) =>
    rows.filter((x) => code.get(x, y)).map((x) => `M${x + MARGIN} ${y + MARGIN}h1v1h-1z`),
  );
  return { size: code.size, path: dark.join('') };
}
