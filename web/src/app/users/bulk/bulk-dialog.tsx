// The dialog of an action on several accounts: asks, shows the progress, and tells what became of each account.
import { Alert, Button, Group, List, Progress, ScrollArea, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useBlocker } from 'react-router';
import { Dialog } from '../../../ui/dialog.tsx';
import { useNotify } from '../../../ui/notify.tsx';
import { useWarningBeforeLeaving } from '../../../ui/use-warning-before-leaving.ts';
import { words } from '../../../words/more.ts';
import { meKey, useMe } from '../../me.ts';
import { rolesKey } from '../../roles/role.ts';
import { InvitationFields, ownLanguage, useInvitationTerms } from '../invite.tsx';
import { displayName, type User, usersKey } from '../user.ts';
import { type BulkAction, isDoneNow } from './actions.ts';
import { type BulkResult, useBulkRun, type Work } from './use-bulk-run.ts';
import type { Further } from './use-selection.ts';

/** The most accounts that the question names at once. */
const NAMED = 5;

/** @param props.action absent while no action is chosen. */
export function BulkDialog(props: {
  action: BulkAction | undefined;
  users: readonly User[];
  next: Further | undefined;
  onClose: (isDone: boolean) => void;
}) {
  const { action, users, next, onClose } = props;
  // The closing dialog keeps its content while it fades out.
  const shown = useRef(action);
  shown.current = action ?? shown.current;
  const [isHeld, setHeld] = useState(false);
  const [hasRun, setHasRun] = useState(false);
  if (!shown.current) return null;
  const { title } = words.users.bulk.actions[shown.current.key];
  const close = (isDone: boolean) => {
    setHasRun(false);
    onClose(isDone);
  };
  return (
    <Dialog
      isOpen={action !== undefined}
      onClose={() => close(hasRun)}
      title={title(users.length)}
      isWide
      isHeld={isHeld}
    >
      <Content
        action={shown.current}
        users={users}
        next={next}
        onClose={close}
        onRunning={(isRunning) => {
          setHeld(isRunning);
          setHasRun(true);
        }}
      />
    </Dialog>
  );
}

type ContentProps = {
  action: BulkAction;
  users: readonly User[];
  next: Further | undefined;
  onClose: (isDone: boolean) => void;
  onRunning: (isRunning: boolean) => void;
};

function Content({ action, users, next, onClose, onRunning }: ContentProps) {
  const me = useMe();
  const { bulk } = words.users;
  const texts = bulk.actions[action.key];
  const queries = useQueryClient();
  const run = useBulkRun();
  // "Back" would change the selection, and take the dialog with its results away.
  useBlocker(run.isRunning);
  useWarningBeforeLeaving(run.isRunning);
  const notify = useNotify();
  const [outcome, setOutcome] = useState<Outcome>();
  const [language, setLanguage] = useState(ownLanguage);
  const { data: terms } = useInvitationTerms();
  const isInvitation = action.key === 'invite';

  /** @param before the results of the accounts that are not tried again. */
  async function start(chosen: readonly User[], before: readonly BulkResult[], work: Work) {
    onRunning(true);
    const found = await run.start(chosen, { last: me.id, ...work });
    onRunning(false);
    return [...before, ...found];
  }
  const readAgain = () =>
    Promise.all([usersKey, rolesKey, meKey].map((queryKey) => queries.invalidateQueries({ queryKey })));

  async function actOn(chosen: readonly User[], before: readonly BulkResult[] = []) {
    const results = await start(chosen, before, {
      isDone: (user) => isDoneNow(action, user),
      act: (user) => action.run(user, language),
    });
    setOutcome({ results, all: users.length, isUndo: false });
    await readAgain();
  }

  /** @param all the number of accounts that the action has changed. */
  async function undo(chosen: readonly User[], before: readonly BulkResult[], all: number) {
    const { undo: act } = action;
    if (!act) return;
    const results = await start(chosen, before, { isDone: () => false, act });
    if (results.length === all && results.every(({ state }) => state === 'done')) {
      notify(bulk.undone(all));
      onClose(true);
    } else setOutcome({ results, all, isUndo: true });
    await readAgain();
  }

  if (run.isRunning) return <Running done={run.results.length} total={run.total} stop={run.stop} />;
  if (outcome) {
    const { results, all, isUndo } = outcome;
    const refused = usersIn(results, 'refused');
    const kept = results.filter(({ state }) => state !== 'refused');
    const done = usersIn(results, 'done');
    return (
      <Results
        action={action}
        outcome={outcome}
        retry={() => (isUndo ? undo(refused, kept, all) : actOn(refused, kept))}
        undo={action.undo && !isUndo && done.length > 0 ? () => undo(done, [], done.length) : undefined}
        next={next}
        close={onClose}
      />
    );
  }
  return (
    <Stack>
      <Text size="sm">{texts.text}</Text>
      <Accounts users={users} />
      {isInvitation && <InvitationFields language={language} onChange={setLanguage} />}
      {users.some(({ id }) => id === me.id) && (
        <Alert color="orange" variant="light">
          {bulk.yourself}
        </Alert>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={() => onClose(false)} data-autofocus>
          {words.common.cancel}
        </Button>
        <Button
          {...(action.key === 'deactivate' && { color: 'red' })}
          disabled={isInvitation && !terms?.isAllowed}
          onClick={() => actOn(users)}
        >
          {texts.yes}
        </Button>
      </Group>
    </Stack>
  );
}

/** The accounts that the action changes: the first ones by name, and all others on demand. */
function Accounts({ users }: { users: readonly User[] }) {
  const { bulk } = words.users;
  const [first, others] = [users.slice(0, NAMED), users.slice(NAMED)];
  return (
    <div>
      <NameList users={first} />
      {others.length > 0 && (
        <details>
          <Text component="summary" size="sm" py={4} style={{ cursor: 'pointer' }}>
            {bulk.others(others.length)}
          </Text>
          <ScrollArea.Autosize mah={160} viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': bulk.accounts }}>
            <NameList users={others} />
          </ScrollArea.Autosize>
        </details>
      )}
    </div>
  );
}

const NameList = ({ users }: { users: readonly User[] }) => (
  <List size="sm" spacing={4}>
    {users.map((user) => (
      <List.Item key={user.id} style={{ overflowWrap: 'anywhere' }}>
        <b>{user.userName}</b> {displayName(user) !== user.userName && displayName(user)}
      </List.Item>
    ))}
  </List>
);

function Running({ done, total, stop }: { done: number; total: number; stop: () => void }) {
  const { bulk } = words.users;
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <Stack>
      <Progress value={(100 * done) / Math.max(1, total)} aria-label={bulk.title} />
      <Group justify="space-between">
        <Text size="sm" role="status">
          {bulk.progress(done, total)}
        </Text>
        <Button variant="default" onClick={stop} ref={button}>
          {bulk.stop}
        </Button>
      </Group>
    </Stack>
  );
}

/** What became of an action, or of its undo. */
type Outcome = {
  readonly results: readonly BulkResult[];
  /** The number of accounts that it was for. */
  readonly all: number;
  readonly isUndo: boolean;
};

const usersIn = (results: readonly BulkResult[], wanted: BulkResult['state']) =>
  results.filter(({ state }) => state === wanted).map(({ user }) => user);

type ResultsProps = {
  action: BulkAction;
  outcome: Outcome;
  retry: () => void;
  undo: (() => void) | undefined;
  next: Further | undefined;
  /** @param isDone whether the selection has served its purpose. */
  close: (isDone: boolean) => void;
};

function Results({ action, outcome, retry, undo, next, close }: ResultsProps) {
  const { results, all, isUndo } = outcome;
  const { bulk } = words.users;
  const texts = bulk.actions[action.key];
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  const done = usersIn(results, 'done').length;
  const refused = results.filter(({ state }) => state === 'refused');
  return (
    <Stack>
      <div role="status">
        <Text fw={600}>{isUndo ? bulk.undone(done) : texts.done(done)}</Text>
        {refused.length > 0 && <Text c="var(--mantine-color-error)">{bulk.refused(refused.length)}</Text>}
        {results.length < all && <Text>{bulk.stopped(all - results.length)}</Text>}
      </div>
      <ScrollArea.Autosize mah={280} viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': bulk.results }}>
        <List size="sm" spacing={4}>
          {[...refused, ...results.filter(({ state }) => state !== 'refused')].map(({ user, state, problem }) => (
            <List.Item key={user.id} style={{ overflowWrap: 'anywhere' }}>
              <b>{user.userName}</b>
              {words.common.labelled('', problem ?? (state === 'unchanged' ? texts.unchanged : bulk.done))}
            </List.Item>
          ))}
        </List>
      </ScrollArea.Autosize>
      <Group justify="flex-end">
        {refused.length > 0 && (
          <Button variant="default" onClick={retry}>
            {bulk.retry(refused.length)}
          </Button>
        )}
        {undo && (
          <Button variant="default" onClick={undo}>
            {bulk.undo}
          </Button>
        )}
        {next && !isUndo && results.length === all && (
          <Button variant="default" loading={next.isBusy} onClick={() => next.run(() => close(false))}>
            {next.label}
          </Button>
        )}
        <Button onClick={() => close(true)} ref={button}>
          {words.common.close}
        </Button>
      </Group>
    </Stack>
  );
}
