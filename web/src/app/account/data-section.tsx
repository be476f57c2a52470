// My data: a download of everything that is stored about me, and the deletion of my account where a setting allows it.
import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { latchkey, readSetting } from '../../api/latchkey.ts';
import { ProofForm } from '../../factors/proof-form.tsx';
import { DangerButton } from '../../ui/danger-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useNotify } from '../../ui/notify.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { words } from '../../words/more.ts';
import { may, servicePermissions, useMe } from '../me.ts';
import { savePerson } from '../save-person.ts';
import type { useFactors } from './factors.ts';

/** Returns whether I may delete my account, which administrators may not. `null` while that loads. What cannot be read is not offered. */
export function useErasureOffer() {
  const { data, isPending } = useQuery({
    queryKey: ['own-erasure'],
    queryFn: () => readSetting('Latchkey.OwnErasure'),
  });
  const me = useMe();
  return isPending ? null : data?.isOffered === true && !servicePermissions.some((permission) => may(me, permission));
}

export function DataSection({ isOffered, factors }: { isOffered: boolean; factors: ReturnType<typeof useFactors> }) {
  const texts = words.account.data;
  const { userName } = useMe();
  const notify = useNotify();
  const [isOpen, setOpen] = useState(false);
  const { submit, isBusy, problem } = useSubmit(async () => {
    await savePerson(`${userName}.json`);
    notify(texts.downloaded);
  });
  const hasPasskey = factors !== null && factors !== undefined && 'canConfirmByPasskey' in factors;
  return (
    <>
      <Text size="sm">{texts.reason}</Text>
      <Group gap="xs">
        <Button variant="default" onClick={submit} loading={isBusy}>
          {texts.download}
        </Button>
        {isOffered && <DangerButton onClick={() => setOpen(true)}>{texts.erase}</DangerButton>}
      </Group>
      <ProblemNotice problem={problem} />
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={texts.erase}>
        <ProofForm
          label={texts.erase}
          submitLabel={texts.eraseYes}
          isDestructive
          hasPasskey={hasPasskey && factors.canConfirmByPasskey}
          run={async (proof) => {
            await latchkey.call('User/EraseMyAccount', proof);
            // The token has ended with the account.
            await latchkey.signOff().catch(() => {});
          }}
        >
          <Text size="sm">{texts.eraseText}</Text>
        </ProofForm>
      </Dialog>
    </>
  );
}
