// Text for screen readers alone.
import type { ReactNode } from 'react';

/** @param props.role makes it a live region: `status` is heard when the reader pauses, `alert` at once. */
export function Spoken({ role, children }: { role?: 'status' | 'alert'; children: ReactNode }) {
  return (
    <span
      role={role}
      style={{ position: 'absolute', width: 1, height: 1, overflow: 'hidden', clipPath: 'inset(50%)', margin: -1 }}
    >
      {children}
    </span>
  );
}
