// Text for screen readers only.
import type { ReactNode } from 'react';

/** @param props.role makes it a live region: screen readers read `status` when they are idle, `alert` at once. */
export function VisuallyHidden({ role, children }: { role?: 'status' | 'alert'; children: ReactNode }) {
  return (
    <span
      role={role}
      style={{ position: 'absolute', width: 1, height: 1, overflow: 'hidden', clipPath: 'inset(50%)', margin: -1 }}
    >
      {children}
    </span>
  );
}
