// What a new application needs from here, shown once: its client id, its client secret, and the lines to paste.
import { Button, Group, Stack, Text } from '@mantine/core';
import { CodeBlock } from '../../ui/code-block.tsx';
import { CopyValue } from '../../ui/copy-button.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { takeFocus } from '../../ui/take-focus.ts';
import { words } from '../../words/all.ts';

export type NewApplication = {
  readonly name: string;
  readonly clientId: string;
  /** Null: it has none. */
  readonly clientSecret: string | null;
  /** Absent for a program that is not in the list. */
  readonly lines: string | undefined;
};

export function Created({ application, onDone }: { application: NewApplication; onDone: () => void }) {
  const { clientId, clientSecret, lines } = application;
  const { created, columns } = words.applications;
  return (
    <Stack gap="md">
      <Text size="sm" component="div">
        {columns.clientId}: <strong style={{ overflowWrap: 'anywhere' }}>{clientId}</strong>{' '}
        {isSecureContext && <CopyValue value={clientId} label={columns.clientId} />}
      </Text>
      {lines !== undefined && (
        <>
          <Text size="sm">{created.lines}</Text>
          <CodeBlock text={lines.trimEnd()} height="40vh" />
        </>
      )}
      {clientSecret !== null ? (
        <ShownOnce value={clientSecret} texts={created} onDone={onDone} />
      ) : (
        <Group justify="flex-end">
          <Button onClick={onDone} ref={takeFocus}>
            {created.done}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
