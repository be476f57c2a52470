// The icons of the sign-in methods. A provider may give its own.
import { Fingerprint, LogIn, MessageSquareText } from 'lucide-react';

/** In pixels. */
const SIZE = 18;
const look = { size: SIZE, strokeWidth: 1.75, 'aria-hidden': true } as const;

export const PasskeyIcon = () => <Fingerprint {...look} />;

export const PinIcon = () => <MessageSquareText {...look} />;

export const ProviderIcon = ({ icon }: { icon: string | null }) =>
  icon === null ? <LogIn {...look} /> : <img src={icon} alt="" width={SIZE} height={SIZE} />;
