// The dialog that lists the keyboard shortcuts.
import { Group, Kbd, Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { areSingleKeysOn, modKey, setSingleKeys } from '../ui/shortcuts.ts';
import { words } from '../words/index.ts';

export function ShortcutsDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const texts = words.shortcuts;
  const mod = modKey(texts.keys.mod);
  const [areOn, setOn] = useState(areSingleKeysOn);
  const shortcuts: readonly [keys: readonly string[], effect: string][] = [
    [[mod, 'K'], texts.palette],
    [['/'], texts.search],
    [[mod, 'S'], texts.save],
    [[mod, 'Z'], texts.undo],
    [['?'], texts.help],
    [[texts.keys.escape], texts.close],
  ];
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={texts.title}>
      <Stack gap="lg">
        <Stack component="dl" gap="xs" m={0}>
          {shortcuts.map(([keys, effect]) => (
            <Group key={effect} wrap="nowrap" align="baseline">
              <Group component="dt" gap={4} w={110} flex="none" wrap="nowrap">
                {keys.map((key) => (
                  <Kbd key={key}>{key}</Kbd>
                ))}
              </Group>
              <Text component="dd" m={0} size="sm">
                {effect}
              </Text>
            </Group>
          ))}
        </Stack>
        <Switch
          label={texts.singleKeys}
          description={texts.singleKeysHint}
          checked={areOn}
          onChange={({ currentTarget }) => {
            setOn(currentTarget.checked);
            setSingleKeys(currentTarget.checked);
          }}
        />
      </Stack>
    </Dialog>
  );
}
