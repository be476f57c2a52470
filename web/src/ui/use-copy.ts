// Copying a text, and telling that it was copied.
import { useState } from 'react';

/** `copy` never rejects. Browsers give the clipboard to secure contexts only: elsewhere it is `undefined`. */
type Copy = { readonly copy: (() => Promise<void>) | undefined; readonly isCopied: boolean };

export function useCopy(text: string): Copy {
  const [isCopied, setCopied] = useState(false);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => {},
    );
  return { copy: isSecureContext ? copy : undefined, isCopied };
}
