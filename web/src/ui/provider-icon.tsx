// The icon of an external provider: its own, or a neutral one.
import { LogIn } from 'lucide-react';

/** In pixels. */
const SIZE = 18;

/** Beside a long name. */
const whole = { flex: 'none' } as const;

/** @param props.icon a data address. */
export const ProviderIcon = ({ icon }: { icon: string | null }) =>
  icon === null ? (
    <LogIn size={SIZE} strokeWidth={1.75} aria-hidden style={whole} />
  ) : (
    <img src={icon} alt="" width={SIZE} height={SIZE} style={whole} />
  );
