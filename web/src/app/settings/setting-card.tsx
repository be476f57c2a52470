// One setting: its form, its last change, and the buttons to restore values.
import { Button, Group, Paper, Text, Title } from '@mantine/core';
import { isLatchkeyError } from 'latchkey-sdk';
import { type ReactNode, useRef, useState } from 'react';
import { Form } from '../../ui/form.tsx';
import { formatTime } from '../../ui/format.ts';
import { useNotify } from '../../ui/notify.tsx';
import { requireFields } from '../../ui/problem.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import { words } from '../../words/index.ts';
import { ConflictNotice } from './conflict-notice.tsx';
import { type Definition, type Draft, isSame, rebase } from './definition.ts';
import { findInputProblems } from './input.ts';
import { RestoreActions } from './restore-actions.tsx';
import { SettingFields } from './setting-fields.tsx';
import { type Theirs, useChanges, useHistory } from './use-setting.ts';

export function SettingCard(props: {
  definition: Definition;
  /** The key of the front end. Absent for a general setting. */
  appKey: string | undefined;
  /** The saved value. */
  value: unknown;
  /** The saved value of the default front end. */
  standard: unknown;
  draft: Draft | undefined;
  onDraft: (draft: Draft | undefined) => void;
}) {
  const { definition, appKey, value, standard, draft, onDraft } = props;
  const { label, kind } = definition;
  const notify = useNotify();
  const card = useRef<HTMLDivElement>(null);
  const changes = useChanges(definition, appKey);
  const [theirs, setTheirs] = useState<Theirs>();

  const settle = (text?: string) => {
    onDraft(undefined);
    setTheirs(undefined);
    setProblem(undefined);
    card.current?.focus();
    if (text) notify(text);
  };
  const { submit, isBusy, problem, setProblem } = useSubmit(async (mine: Draft | undefined = draft) => {
    if (!mine) return;
    requireFields(findInputProblems(definition, mine.value));
    try {
      await changes.save(mine);
      settle(words.settings.saved(label));
    } catch (error) {
      if (!isLatchkeyError(error, 'setting.conflict')) throw error;
      const other = await changes.readTheirs(mine.base);
      if (isSame(rebase(definition, mine, other.value).value, other.value)) settle(words.settings.savedAlready(label));
      else setTheirs(other);
    }
  });
  const change = (next: unknown) => {
    const base = draft ? draft.base : value;
    onDraft(isSame(base, next) ? undefined : { base, value: next });
  };
  return (
    <Paper ref={card} tabIndex={-1} withBorder p="md" style={{ outline: 'none' }} data-setting={definition.name}>
      {kind === 'compound' && (
        <>
          <Title order={3} size="h4">
            {label}
          </Title>
          <Text size="sm" c="dimmed" mb="md">
            {definition.description}
          </Text>
        </>
      )}
      <Form label={label} onSubmit={() => submit()} problem={problem}>
        <SettingFields
          definition={definition}
          value={draft ? draft.value : value}
          standard={standard}
          onChange={change}
          problems={problem?.fields ?? {}}
        />
        {draft && theirs && (
          <ConflictNotice
            definition={definition}
            draft={draft}
            theirs={theirs}
            onTake={() => settle()}
            onOverwrite={submit}
            isBusy={isBusy}
          />
        )}
        {draft && !theirs && (
          <Group gap="sm">
            <Button type="submit" loading={isBusy}>
              {words.common.save}
            </Button>
            <Button variant="default" onClick={() => settle()}>
              {words.settings.discard}
            </Button>
            <Text size="sm">{words.settings.notSaved}</Text>
          </Group>
        )}
      </Form>
      <Footer>
        <LastChange definition={definition} appKey={appKey} value={value} />
        <RestoreActions
          definition={definition}
          appKey={appKey}
          value={value}
          isDirty={draft !== undefined}
          changes={changes}
          onDone={settle}
        />
      </Footer>
    </Paper>
  );
}

function Footer({ children }: { children: ReactNode }) {
  return (
    <Group justify="space-between" gap="xs">
      {children}
    </Group>
  );
}

function LastChange(props: { definition: Definition; appKey: string | undefined; value: unknown }) {
  const { definition, appKey, value } = props;
  const { data } = useHistory(definition.name, appKey);
  const last = data?.[0];
  const text = words.settings.history;
  return (
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {data && !last && isSame(value, definition.default) && text.never}
      {last && text.last(last.by, formatTime(last.at))}
    </Text>
  );
}
