// The form for my answers to security questions. It replaces all previous answers.
import { Button, Fieldset, Group, NativeSelect, Text, TextInput } from '@mantine/core';
import type { Calls } from 'latchkey-sdk';
import { useState } from 'react';
import { latchkey } from '../../api/latchkey.ts';
import { GuardedForm } from '../../factors/guarded-form.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { asFieldError, type Problem, requireFields } from '../../ui/problem.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import { words } from '../../words/more.ts';

type MyQuestions = Calls['User/GetMySecurityQuestions']['result'];

/** The greatest number of answers that the service accepts. */
const MOST = 20;

/** `key` identifies a row when another one is removed. */
type Row = { readonly key: number; readonly questionId: string; readonly answer: string };

const emptyRow = (key: number): Row => ({ key, questionId: '', answer: '' });

/** The names of a row's fields are the member names in the service's validation errors. */
const questionField = (index: number) => `answers.${index}.questionId`;
const answerField = (index: number) => `answers.${index}.answer`;

function findMissing(rows: readonly Row[]): Record<string, string> {
  const { required } = words.common;
  const missing = rows.flatMap(({ questionId, answer }, index) => [
    ...(questionId === '' ? [[questionField(index), required]] : []),
    ...(answer.trim() === '' ? [[answerField(index), required]] : []),
  ]);
  return Object.fromEntries(missing);
}

export function QuestionsForm(props: {
  questions: MyQuestions['questions'];
  /** The least number of answers. */
  needed: number;
  onDone: () => Promise<void>;
}) {
  const { questions, needed, onDone } = props;
  const texts = words.account.questions;
  const [rows, setRows] = useState<readonly Row[]>(() => Array.from({ length: needed }, (_, key) => emptyRow(key)));
  const [currentPassword, setPassword] = useState('');
  const { submit, isBusy, problem } = useSubmit(async () => {
    requireFields({
      ...findMissing(rows),
      ...(currentPassword === '' && { currentPassword: words.common.required }),
    });
    const answers = rows.map(({ questionId, answer }) => ({ questionId, answer }));
    await latchkey
      .call('User/SetMySecurityQuestions', { currentPassword, answers })
      .catch(asFieldError('currentPassword', 'password.incorrect'));
    await onDone();
  });
  const change = (changed: Row) => setRows(rows.map((row) => (row.key === changed.key ? changed : row)));
  return (
    <GuardedForm label={texts.title} onSubmit={submit} problem={problem}>
      <Text size="sm">{texts.replaces}</Text>
      {rows.map((row, index) => (
        <AnswerRow
          key={row.key}
          row={row}
          index={index}
          offered={questions.filter(({ id }) => !rows.some((other) => other !== row && other.questionId === id))}
          onChange={change}
          onRemove={rows.length > needed ? () => setRows(rows.filter((other) => other !== row)) : undefined}
          problem={problem}
        />
      ))}
      {rows.length < Math.min(questions.length, MOST) && (
        <Group>
          <Button
            size="xs"
            variant="default"
            onClick={() => setRows([...rows, emptyRow(1 + Math.max(...rows.map(({ key }) => key)))])}
          >
            {texts.more}
          </Button>
        </Group>
      )}
      <PasswordField
        name="currentPassword"
        label={words.change.current}
        kind="current-password"
        value={currentPassword}
        onChange={setPassword}
        problem={problem}
      />
      <FormButtons submit={texts.submit} isBusy={isBusy} />
    </GuardedForm>
  );
}

function AnswerRow(props: {
  row: Row;
  index: number;
  offered: MyQuestions['questions'];
  onChange: (row: Row) => void;
  onRemove: (() => void) | undefined;
  problem: Problem | undefined;
}) {
  const { row, index, offered, onChange, onRemove, problem } = props;
  const texts = words.account.questions;
  return (
    <Fieldset p="sm">
      <NativeSelect
        name={questionField(index)}
        label={texts.question(index + 1)}
        data={[
          { value: '', label: texts.choose },
          ...offered.map(({ id, question }) => ({ value: id, label: question })),
        ]}
        value={row.questionId}
        onChange={(event) => onChange({ ...row, questionId: event.currentTarget.value })}
        error={problem?.fields[questionField(index)]}
      />
      <TextInput
        mt="xs"
        name={answerField(index)}
        label={texts.answer(index + 1)}
        autoComplete="off"
        value={row.answer}
        onChange={(event) => onChange({ ...row, answer: event.currentTarget.value })}
        error={problem?.fields[answerField(index)]}
      />
      {onRemove && (
        <Button mt="xs" size="xs" variant="default" onClick={onRemove} aria-label={texts.remove(index + 1)}>
          {texts.removeShort}
        </Button>
      )}
    </Fieldset>
  );
}
