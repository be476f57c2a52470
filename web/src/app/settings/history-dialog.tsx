// The history of a setting: its changes, and buttons to restore a value.
import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { formatTime } from '../../ui/format.ts';
import { Empty, LoadFailure, Loading } from '../../ui/page.tsx';
import { words } from '../../words/all.ts';
import { type Change, type Definition, isSame } from './definition.ts';
import { Differences } from './differences.tsx';
import { useHistory } from './use-setting.ts';

/** The number of changes that are shown at first, and added at a time. */
const STEP = 20;

export function HistoryDialog(props: {
  definition: Definition;
  appKey: string | undefined;
  value: unknown;
  /** Whether there is a draft. Restoring a value would lose it. */
  isDirty: boolean;
  onClose: () => void;
  onRestore: (change: Change, isLatest: boolean) => void;
}) {
  const { definition, appKey, value, isDirty, onClose, onRestore } = props;
  const history = useHistory(definition.name, appKey);
  const [count, setCount] = useState(STEP);
  const text = words.settings.history;
  const changes = history.data ?? [];
  return (
    <Dialog isOpen onClose={onClose} title={text.title(definition.label)} isWide>
      {history.isPending && <Loading />}
      {history.error && <LoadFailure error={history.error} retry={history.refetch} />}
      {history.data?.length === 0 && <Empty>{text.empty}</Empty>}
      {isDirty && (
        <Text size="sm" mb="sm">
          {text.dirty}
        </Text>
      )}
      <Stack gap="lg" component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
        {changes.slice(0, count).map((change, index) => {
          const before = change.oldValue ?? definition.default;
          const when = formatTime(change.at);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: changes have no id, and the list is rendered anew when it grows.
            <Box component="li" key={index}>
              <Text size="sm" c="dimmed" mb={4}>
                {change.by === null ? when : text.byAt(change.by, when)}
                {change.newValue === null && ` · ${text.toDefault}`}
              </Text>
              <Differences definition={definition} from={before} to={change.newValue ?? definition.default} />
              {!isDirty && !isSame(before, value) && (
                <Button
                  mt="xs"
                  size="xs"
                  variant="default"
                  aria-label={words.common.labelled(index === 0 ? text.undo : text.restore, when)}
                  onClick={() => onRestore(change, index === 0)}
                >
                  {index === 0 ? text.undo : text.restore}
                </Button>
              )}
            </Box>
          );
        })}
      </Stack>
      {changes.length > count && (
        <Group mt="md">
          <Button variant="default" onClick={() => setCount(count + STEP)}>
            {text.more}
          </Button>
        </Group>
      )}
    </Dialog>
  );
}
