// Text for screen readers only.
import type { ReactNode } from 'react';

/**
 * @param props.role makes it a live region: screen readers read `status` when they are idle, `alert` at once.
 * @param props.isOnlyReferred whether it is read only with the element that names its `id`.
 */
export function VisuallyHidden(props: {
  role?: 'status' | 'alert';
  id?: string;
  isOnlyReferred?: boolean;
  children: ReactNode;
}) {
  const { role, id, isOnlyReferred = false, children } = props;
  return (
    <span
      role={role}
      id={id}
      hidden={isOnlyReferred}
      style={{ position: 'absolute', width: 1, height: 1, overflow: 'hidden', clipPath: 'inset(50%)', margin: -1 }}
    >
      {children}
    </span>
  );
}
