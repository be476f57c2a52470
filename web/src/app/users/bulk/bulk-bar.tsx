// The bar of the selected accounts: how many there are, and what to do with them.
import { ActionIcon, Button, Group, Menu, Paper, Text } from '@mantine/core';
import { ChevronDown, X } from 'lucide-react';
import { useState } from 'react';
import { words } from '../../../words/more.ts';
import type { User } from '../user.ts';
import { type BulkAction, bulkActions } from './actions.ts';
import { BulkDialog } from './bulk-dialog.tsx';
import type { Further } from './use-selection.ts';

/**
 * @param props.elsewhere how many of the accounts are on other pages.
 * @param props.more selects further accounts that were found.
 * @param props.next selects the next ones, after an action.
 */
export function BulkBar(props: {
  chosen: readonly User[];
  elsewhere: number;
  more: Further | undefined;
  next: Further | undefined;
  clear: () => void;
}) {
  const { chosen, elsewhere, more, next, clear } = props;
  const { bulk } = words.users;
  const [action, setAction] = useState<BulkAction>();
  if (chosen.length === 0) return null;
  return (
    <Paper
      component="section"
      withBorder
      shadow="md"
      p="xs"
      aria-label={bulk.title}
      pos="sticky"
      bottom={8}
      style={{ zIndex: 4 }}
    >
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Text size="sm" fw={600} role="status">
            {bulk.selected(chosen.length)}
            {elsewhere > 0 && (
              <Text span inherit fw={400}>
                {' '}
                {bulk.elsewhere(elsewhere)}
              </Text>
            )}
          </Text>
          {/* Within the bar: its edge may lie over a link, which is then as near. */}
          <ActionIcon variant="subtle" color="gray" my={2} hiddenFrom="sm" aria-label={bulk.clear} onClick={clear}>
            <X size={16} aria-hidden />
          </ActionIcon>
          {more && (
            <Button variant="subtle" size="xs" px={8} ms={-8} onClick={() => more.run()} loading={more.isBusy}>
              {more.label}
            </Button>
          )}
          <Button variant="subtle" size="xs" px={8} visibleFrom="sm" onClick={clear}>
            {bulk.clear}
          </Button>
        </Group>
        <Menu position="top-end" withinPortal={false} withInitialFocusPlaceholder={false}>
          <Menu.Target>
            <Button size="sm" ms="auto" rightSection={<ChevronDown size={16} aria-hidden />}>
              {bulk.choose}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {bulkActions.map((one) => (
              <Menu.Item key={one.key} onClick={() => setAction(one)}>
                {bulk.actions[one.key].label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </Group>
      <BulkDialog
        action={action}
        users={chosen}
        next={next}
        onClose={(isDone) => {
          setAction(undefined);
          if (isDone) clear();
        }}
      />
    </Paper>
  );
}
