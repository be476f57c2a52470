// The buttons of a setting: its default, where the value comes from, and its history.
import { ActionIcon, Group, Tooltip } from '@mantine/core';
import { History, Layers, RotateCcw } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useConfirm } from '../../ui/confirm.tsx';
import { useNotify } from '../../ui/notify.tsx';
import { words } from '../../words/all.ts';
import type { Change, Definition } from './definition.ts';
import { isSame } from './definition.ts';
import { Differences } from './differences.tsx';
import { HistoryDialog } from './history-dialog.tsx';
import { OriginDialog } from './origin-dialog.tsx';
import { useChanges } from './use-setting.ts';

/** The width of three buttons, in pixels: a value is as wide before it differs from its default as then. */
const WIDTH = 92;

const ICON = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;

/** @param props.value the saved value. @param props.isDirty whether another value is typed. @param props.isFixed whether the user may not change it. */
export function SettingActions(props: {
  definition: Definition;
  appKey: string | undefined;
  value: unknown;
  isDirty: boolean;
  isFixed: boolean;
}) {
  const { definition, appKey, value, isDirty, isFixed } = props;
  const { label } = definition;
  const changes = useChanges();
  const notify = useNotify();
  const [ask, dialog] = useConfirm();
  const [open, setOpen] = useState<'history' | 'origin'>();
  const close = () => setOpen(undefined);
  const text = words.settings;

  /** @param action what the button says that was pressed. */
  const askToRestore = (action: string, to: unknown, isReset: boolean) =>
    ask({
      title: words.common.labelled(action, label),
      text: <Differences definition={definition} from={value} to={to} />,
      yes: action,
      isHarmless: true,
      run: async () => {
        await changes.save(definition, appKey, { base: value, value: to, isReset });
        notify(text.saved(label));
      },
    });
  const restore = ({ oldValue }: Change, isLatest: boolean) => {
    close();
    const { undo, set } = text.history;
    askToRestore(isLatest ? undo : set, oldValue ?? definition.default, oldValue === null);
  };
  const isDefault = isSame(value, definition.default);
  return (
    <Group gap={4} wrap="nowrap" align="flex-start" justify="flex-end" miw={WIDTH} flex="none" ms="auto">
      {!isDirty && !isDefault && !isFixed && (
        <Action
          label={text.resetOf(label)}
          hint={text.reset}
          icon={<RotateCcw {...ICON} />}
          onClick={() => askToRestore(text.reset, definition.default, true)}
        />
      )}
      <Action
        label={text.origin.of(label)}
        hint={text.origin.open}
        icon={<Layers {...ICON} />}
        onClick={() => setOpen('origin')}
      />
      <Action
        label={text.history.of(label)}
        hint={text.history.open}
        icon={<History {...ICON} />}
        onClick={() => setOpen('history')}
      />
      {open === 'origin' && <OriginDialog definition={definition} appKey={appKey} onClose={close} />}
      {open === 'history' && (
        <HistoryDialog
          definition={definition}
          appKey={appKey}
          value={value}
          isDirty={isDirty}
          onClose={close}
          onRestore={restore}
        />
      )}
      {dialog}
    </Group>
  );
}

function Action(props: { label: string; hint: string; icon: ReactNode; onClick: () => void }) {
  const { label, hint, icon, onClick } = props;
  return (
    <Tooltip label={hint}>
      <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={onClick}>
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}
