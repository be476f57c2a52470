// My passkeys: the list, and the dialogs to add, rename and remove one.
import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { latchkey } from '../../api/latchkey.ts';
import { AddPasskey } from '../../factors/add-passkey.tsx';
import { canUsePasskeys } from '../../factors/passkeys.ts';
import { ProofForm } from '../../factors/proof-form.tsx';
import { DangerButton } from '../../ui/danger-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatTime } from '../../ui/format.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { words } from '../../words/more.ts';
import { FactorDialog } from './factor-dialog.tsx';
import { type Factors, useRefreshFactors } from './factors.ts';
import { RenamePasskey } from './rename-passkey.tsx';

export type Passkey = Factors['passkeys'][number];

/** The last one that was chosen stays in its dialog while that closes. */
type Open = { readonly dialog: 'add' | 'rename' | 'remove' | undefined; readonly passkey: Passkey | undefined };

export function PasskeysPart({ factors }: { factors: Factors }) {
  const { passkeys, offered, count, canConfirmByPasskey } = factors;
  const { passkeys: texts, removeLastText } = words.factors.account;
  const [{ dialog, passkey }, setOpen] = useState<Open>({ dialog: undefined, passkey: undefined });
  const refresh = useRefreshFactors();
  const close = () => setOpen({ dialog: undefined, passkey });
  const name = passkey?.name ?? '';
  return (
    <>
      {passkeys.length === 0 && <Text size="sm">{texts.none}</Text>}
      {passkeys.length > 0 && (
        <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
          {passkeys.map((one) => (
            <PasskeyCard
              key={one.id}
              passkey={one}
              onRename={() => setOpen({ dialog: 'rename', passkey: one })}
              onRemove={() => setOpen({ dialog: 'remove', passkey: one })}
            />
          ))}
        </Stack>
      )}
      {offered.passkeys && !canUsePasskeys && <Text size="sm">{texts.unsupported}</Text>}
      {offered.passkeys && canUsePasskeys && (
        <Group>
          <Button variant="default" onClick={() => setOpen({ dialog: 'add', passkey })}>
            {texts.add}
          </Button>
        </Group>
      )}
      <FactorDialog title={words.factors.enroll.passkey} isOpen={dialog === 'add'} onClose={close}>
        {(showCodes) => (
          <AddPasskey
            hasPasskey={canConfirmByPasskey}
            onAdded={({ name: added, recoveryCodes }) => {
              if (recoveryCodes) showCodes(recoveryCodes);
              else close();
              void refresh(texts.done(added));
            }}
          />
        )}
      </FactorDialog>
      <Dialog isOpen={dialog === 'rename'} onClose={close} title={texts.renameTitle}>
        {passkey && <RenamePasskey passkey={passkey} onDone={close} />}
      </Dialog>
      <Dialog isOpen={dialog === 'remove'} onClose={close} title={texts.removeTitle(name)}>
        {passkey && (
          <ProofForm
            label={texts.removeTitle(name)}
            submitLabel={texts.remove}
            isDestructive
            hasPasskey={canConfirmByPasskey}
            run={async (proof) => {
              await latchkey.call('Passkey/Remove', { id: passkey.id, ...proof });
              await refresh(texts.removed(name));
              close();
            }}
          >
            <Text size="sm">{count === 1 ? removeLastText : texts.removeText}</Text>
          </ProofForm>
        )}
      </Dialog>
    </>
  );
}

function PasskeyCard(props: { passkey: Passkey; onRename: () => void; onRemove: () => void }) {
  const { passkey, onRename, onRemove } = props;
  const { name, createdAt, lastUsedAt, backedUp } = passkey;
  const { passkeys: texts } = words.factors.account;
  return (
    <Paper component="li" withBorder p="sm">
      <Group justify="space-between" gap="sm">
        <div style={{ maxWidth: '100%', overflowWrap: 'anywhere' }}>
          <Group gap="xs">
            <Text fw={600} maw="100%">
              {name}
            </Text>
            <StatusBadge colour={backedUp ? 'green' : 'gray'}>
              {backedUp ? texts.backedUp : texts.notBackedUp}
            </StatusBadge>
          </Group>
          <Text size="sm">{texts.created(formatTime(createdAt))}</Text>
          <Text size="sm">{lastUsedAt === null ? texts.unused : texts.used(formatTime(lastUsedAt))}</Text>
        </div>
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={onRename} aria-label={texts.renameOne(name)}>
            {texts.rename}
          </Button>
          <DangerButton size="xs" onClick={onRemove} aria-label={texts.removeOne(name)}>
            {texts.remove}
          </DangerButton>
        </Group>
      </Group>
    </Paper>
  );
}
