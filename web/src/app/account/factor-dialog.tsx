// The dialog of a change of my factors. New recovery codes appear in it, and hold it open until they are stored.
import { type ReactNode, useEffect, useState } from 'react';
import { RecoveryCodes } from '../../factors/recovery-codes.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Stay } from '../../ui/stay.tsx';
import { words } from '../../words/more.ts';
import { useMe } from '../me.ts';

export function FactorDialog(props: {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** Shows the steps before. They pass new recovery codes on, if the service made some. */
  children: (showCodes: (codes: readonly string[]) => void) => ReactNode;
}) {
  const { title, isOpen, onClose, children } = props;
  const { userName } = useMe();
  const [codes, setCodes] = useState<readonly string[]>();
  useEffect(() => {
    if (isOpen) setCodes(undefined);
  }, [isOpen]);
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={codes ? words.factors.codes.title : title}
      isHeld={codes !== undefined}
      showsOnce
    >
      {codes ? (
        <>
          <Stay />
          <RecoveryCodes codes={codes} account={userName} onDone={onClose} />
        </>
      ) : (
        children(setCodes)
      )}
    </Dialog>
  );
}
