// One call of the API: its input as a form, its answer, and the same as a curl command.
import { Anchor, Code, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Link, useParams } from 'react-router';
import { isOfService } from '../app/roles/role.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { Form } from '../ui/form.tsx';
import { FormButtons } from '../ui/form-buttons.tsx';
import { Empty, LoadFailure, Loading, Page } from '../ui/page.tsx';
import { StatusBadge } from '../ui/status-badge.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { words } from '../words/all.ts';
import { CallName } from './call-name.tsx';
import { type Api, apiKey, type Operation, useApi } from './document.ts';
import { InputField } from './input-field.tsx';
import { type Answer, createRequest, describeAsCurl, isOwnCall, send, type Typed } from './request.ts';
import { Shape } from './shape.tsx';

export function CallPage() {
  const { id } = useParams();
  const { data, error, refetch } = useApi();
  const operation = data?.operations.find((one) => one.id === id);
  return (
    <Page
      title={operation?.name ?? id ?? ''}
      trail={[{ path: '/api', label: words.api.title }]}
      heading={<CallName name={operation?.name ?? id ?? ''} />}
      language="en"
    >
      {!data && !error && <Loading rows={6} />}
      {error && <LoadFailure error={error} retry={refetch} />}
      {data && !operation && <Empty>{words.api.unknown}</Empty>}
      {data && operation && <Call key={operation.id} operation={operation} schemas={data.schemas} />}
    </Page>
  );
}

/** Returns what the page of roles calls a permission, and its own name. */
const nameOf = (permission: string): string =>
  isOfService(permission) ? `${words.roles.permissions[permission].label} (${permission})` : permission;

function Call({ operation, schemas }: { operation: Operation; schemas: Api['schemas'] }) {
  const { method, path, summary, isPublic, permission, result } = operation;
  const { access } = words.api;
  const [typed, setTyped] = useState<Typed>({});
  return (
    <>
      <Stack gap="xs">
        <Text lang="en">{summary}</Text>
        <Code block lang="en" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{`${method} ${path}`}</Code>
        <Text size="sm">
          {permission === undefined ? access[isPublic ? 'public' : 'token'] : access.permission(nameOf(permission))}{' '}
          {permission !== undefined && (
            <Anchor component={Link} to="/guide/managing-from-a-server" underline="always">
              {access.keys}
            </Anchor>
          )}
        </Text>
        {operation.name === 'TokenAuth/SignOff' && <Text size="sm">{words.api.ends}</Text>}
      </Stack>
      <Section title={words.api.input}>
        <Input operation={operation} schemas={schemas} typed={typed} onChange={setTyped} />
      </Section>
      {result && (
        <Section title={words.api.result}>
          <Shape schema={result} schemas={schemas} />
        </Section>
      )}
    </>
  );
}

function Input(props: {
  operation: Operation;
  schemas: Api['schemas'];
  typed: Typed;
  onChange: (typed: Typed) => void;
}) {
  const { operation, schemas, typed, onChange } = props;
  const queries = useQueryClient();
  const [answer, setAnswer] = useState<Answer>();
  const { submit, isBusy, problem, setProblem } = useSubmit(async () => {
    setAnswer(undefined);
    const next = await send(operation, createRequest(operation, typed, schemas));
    setAnswer(next);
    setProblem(next.problem);
    // The call may have changed what other pages show, or ended the session.
    if (operation.method !== 'GET' || next.status === 401) {
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey !== apiKey });
    }
  });
  const members = [...operation.query, ...(operation.body ?? [])];
  const isOwn = isOwnCall(operation);
  return (
    <>
      <Form label={words.api.input} onSubmit={isOwn ? () => {} : submit} problem={problem}>
        {members.length === 0 && <Text size="sm">{words.api.noInput}</Text>}
        {members.map((member) => (
          <InputField
            key={member.name}
            member={member}
            schemas={schemas}
            value={typed[member.name] ?? ''}
            error={problem?.fields[member.name]}
            onChange={(value) => onChange({ ...typed, [member.name]: value })}
          />
        ))}
        {isOwn ? <Text size="sm">{words.api.ownCall}</Text> : <FormButtons submit={words.api.send} isBusy={isBusy} />}
      </Form>
      <div role="status">{answer && <AnswerView answer={answer} />}</div>
      <Curl operation={operation} schemas={schemas} typed={typed} />
    </>
  );
}

/** Takes the focus, unless a field is wrong. */
function AnswerView({ answer: { status, milliseconds, text, problem } }: { answer: Answer }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!problem) heading.current?.focus();
  }, [problem]);
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Title order={3} size="h5" ref={heading} tabIndex={-1} style={{ outline: 'none' }}>
          {words.api.answer}
        </Title>
        <StatusBadge colour={status < 400 ? 'green' : 'red'}>{words.api.status(status, milliseconds)}</StatusBadge>
      </Group>
      {/* Read on demand: an answer may be long. */}
      <div aria-live="off">
        <CodeBlock text={text} height="60vh" />
      </div>
    </Stack>
  );
}

/** Shown while the input can be sent. */
function Curl({ operation, schemas, typed }: { operation: Operation; schemas: Api['schemas']; typed: Typed }) {
  const command = describe(operation, schemas, typed);
  return (
    command !== undefined && (
      <Stack gap="xs">
        <Title order={3} size="h5">
          {words.api.curl}
        </Title>
        <CodeBlock text={command} />
      </Stack>
    )
  );
}

function describe(operation: Operation, schemas: Api['schemas'], typed: Typed): string | undefined {
  try {
    return describeAsCurl(operation, createRequest(operation, typed, schemas), schemas);
  } catch {
    return undefined;
  }
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <Paper component="section" withBorder p={{ base: 'md', sm: 'lg' }} aria-labelledby={id}>
      <Stack gap="md">
        <Title order={2} size="h4" id={id}>
          {title}
        </Title>
        {children}
      </Stack>
    </Paper>
  );
}
