// My authenticator app: whether one is enrolled, and buttons to enroll, replace and remove it.
import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { latchkey } from '../../api/latchkey.ts';
import { EnrollAuthenticator } from '../../factors/enroll-authenticator.tsx';
import { ProofForm } from '../../factors/proof-form.tsx';
import { DangerButton } from '../../ui/danger-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatTime } from '../../ui/format.ts';
import { words } from '../../words/more.ts';
import { FactorDialog } from './factor-dialog.tsx';
import { type Factors, useRefreshFactors } from './factors.ts';

export function AuthenticatorPart({ factors }: { factors: Factors }) {
  const { authenticator, offered, count, canConfirmByPasskey } = factors;
  const { authenticator: texts, removeText, removeLastText } = words.factors.account;
  const [open, setOpen] = useState<'enroll' | 'remove'>();
  const refresh = useRefreshFactors();
  const close = () => setOpen(undefined);
  return (
    <>
      <Text size="sm">{authenticator.enrolled ? texts.since(formatTime(authenticator.since)) : texts.none}</Text>
      <Group gap="xs">
        {offered.authenticator && (
          <Button variant="default" onClick={() => setOpen('enroll')}>
            {authenticator.enrolled ? texts.replace : texts.setUp}
          </Button>
        )}
        {authenticator.enrolled && (
          <DangerButton onClick={() => setOpen('remove')} aria-label={texts.removeLabel}>
            {texts.remove}
          </DangerButton>
        )}
      </Group>
      <FactorDialog title={words.factors.enroll.authenticator} isOpen={open === 'enroll'} onClose={close}>
        {(showCodes) => (
          <EnrollAuthenticator
            hasPasskey={canConfirmByPasskey}
            onEnrolled={(codes) => {
              showCodes(codes);
              void refresh(texts.done);
            }}
          />
        )}
      </FactorDialog>
      <Dialog isOpen={open === 'remove'} onClose={close} title={texts.removeTitle}>
        <ProofForm
          label={texts.removeTitle}
          submitLabel={texts.remove}
          isDestructive
          hasPasskey={canConfirmByPasskey}
          run={async (proof) => {
            await latchkey.call('Authenticator/Remove', proof);
            await refresh(texts.removed);
            close();
          }}
        >
          <Text size="sm">{count === 1 ? removeLastText : removeText}</Text>
        </ProofForm>
      </Dialog>
    </>
  );
}
