// My recovery codes: how many are left, and the dialog for new ones.
import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { latchkey } from '../../api/latchkey.ts';
import { ProofForm } from '../../factors/proof-form.tsx';
import { words } from '../../words/more.ts';
import { FactorDialog } from './factor-dialog.tsx';
import { type Factors, useRefreshFactors } from './factors.ts';

/** The page advises to make new ones when so few are left. */
const FEW = 3;

export function RecoveryCodesPart({ factors }: { factors: Factors }) {
  const { recoveryCodesLeft: left, canConfirmByPasskey } = factors;
  const texts = words.factors.account.codes;
  const [isOpen, setOpen] = useState(false);
  const refresh = useRefreshFactors();
  return (
    <>
      <Text size="sm">
        {texts.left(left)}
        {left <= FEW && <b> {texts.few}</b>}
      </Text>
      <Group>
        <Button variant="default" onClick={() => setOpen(true)}>
          {texts.renew}
        </Button>
      </Group>
      <FactorDialog title={texts.renewTitle} isOpen={isOpen} onClose={() => setOpen(false)}>
        {(showCodes) => (
          <ProofForm
            label={texts.renewTitle}
            submitLabel={texts.renew}
            hasPasskey={canConfirmByPasskey}
            run={async (proof) => {
              showCodes((await latchkey.call('RecoveryCode/Regenerate', proof)).recoveryCodes);
              await refresh(texts.renewed);
            }}
          >
            <Text size="sm">{texts.renewText}</Text>
          </ProofForm>
        )}
      </FactorDialog>
    </>
  );
}
