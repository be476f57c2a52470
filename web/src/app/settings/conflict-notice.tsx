// The notice of a conflict: another administrator has saved this setting, and the user chooses a value.
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { formatTime } from '../../ui/format.ts';
import { words } from '../../words/all.ts';
import { type Definition, type Draft, rebase } from './definition.ts';
import { Differences } from './differences.tsx';
import type { Theirs } from './use-setting.ts';

export function ConflictNotice(props: {
  definition: Definition;
  draft: Draft;
  theirs: Theirs;
  onTake: () => void;
  /** Called with the draft applied to the saved value. */
  onOverwrite: (draft: Draft) => void;
  isBusy: boolean;
}) {
  const { definition, draft, theirs, onTake, onOverwrite, isBusy } = props;
  const { by, at } = theirs.change ?? { by: null, at: null };
  const mine = rebase(definition, draft, theirs.value);
  const notice = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: focus each new conflict.
  useEffect(() => notice.current?.focus(), [theirs]);
  const text = words.settings.conflict;
  return (
    <Alert ref={notice} tabIndex={-1} role="alert" color="orange" variant="light">
      <Stack gap="sm">
        <Text fw={600}>{text.title}</Text>
        <Text size="sm">{text.text(by ?? text.otherAdministrator, at && formatTime(at))}</Text>
        <Text size="sm">{text.theirs}</Text>
        <Differences definition={definition} from={draft.base} to={theirs.value} />
        <Text size="sm">{text.mine}</Text>
        <Differences definition={definition} from={theirs.value} to={mine.value} />
        <Group gap="sm">
          <Button variant="default" onClick={onTake}>
            {text.take}
          </Button>
          <Button onClick={() => onOverwrite(mine)} loading={isBusy}>
            {text.overwrite}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
