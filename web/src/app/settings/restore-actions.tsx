// The buttons that restore a setting: to its default, or to an earlier value.
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { useConfirm } from '../../ui/confirm.tsx';
import { words } from '../../words/index.ts';
import { type Change, type Definition, isSame } from './definition.ts';
import { Differences } from './differences.tsx';
import { HistoryDialog } from './history-dialog.tsx';
import type { useChanges } from './use-setting.ts';

export function RestoreActions(props: {
  definition: Definition;
  appKey: string | undefined;
  value: unknown;
  isDirty: boolean;
  changes: ReturnType<typeof useChanges>;
  onDone: (text: string) => void;
}) {
  const { definition, appKey, value, isDirty, changes, onDone } = props;
  const { label } = definition;
  const [ask, dialog] = useConfirm();
  const [isHistoryOpen, setHistoryOpen] = useState(false);
  const text = words.settings;

  const askToRestore = (title: string, yes: string, to: unknown, isDefault: boolean) =>
    ask({
      title,
      text: <Differences definition={definition} from={value} to={to} />,
      yes,
      run: async () => {
        await (isDefault ? changes.reset(value) : changes.save({ base: value, value: to }));
        onDone(text.saved(label));
      },
    });
  const restore = ({ oldValue }: Change) => {
    setHistoryOpen(false);
    const isDefault = oldValue === null;
    askToRestore(text.history.restoreTitle(label), text.history.set, oldValue ?? definition.default, isDefault);
  };
  return (
    <Group gap="xs">
      {!isDirty && !isSame(value, definition.default) && (
        <Button
          variant="subtle"
          size="xs"
          aria-label={text.resetOf(label)}
          onClick={() => askToRestore(text.resetOf(label), text.reset, definition.default, true)}
        >
          {text.reset}
        </Button>
      )}
      <Button variant="subtle" size="xs" aria-label={text.history.of(label)} onClick={() => setHistoryOpen(true)}>
        {text.history.open}
      </Button>
      {isHistoryOpen && (
        <HistoryDialog
          definition={definition}
          appKey={appKey}
          value={value}
          isDirty={isDirty}
          onClose={() => setHistoryOpen(false)}
          onRestore={restore}
        />
      )}
      {dialog}
    </Group>
  );
}
