// The icons of the sign-in methods.
import { Fingerprint, MessageSquareText } from 'lucide-react';

/** In pixels. */
const SIZE = 18;
const look = { size: SIZE, strokeWidth: 1.75, 'aria-hidden': true } as const;

export const PasskeyIcon = () => <Fingerprint {...look} />;

export const PinIcon = () => <MessageSquareText {...look} />;
