// The step of an import that says what each column of the file becomes.
import { Button, Group, NativeSelect, Stack, Text, Title } from '@mantine/core';
import { type Mapping, type Member, memberOf, members } from 'latchkey-user-files/members';
import { useEffect, useRef } from 'react';
import { type Column, Records } from '../../../ui/records.tsx';
import { words } from '../../../words/more.ts';
import { may, useMe } from '../../me.ts';
import type { ImportFile } from './file.ts';

/** Rows whose values are shown. */
const SAMPLES = 3;

/** In characters. A hash would fill the page. */
const SAMPLE_LENGTH = 40;

type Props = {
  file: ImportFile;
  mapping: Mapping;
  onChange: (mapping: Mapping) => void;
  onDone: () => void;
  onBack: () => void;
};

export function MappingStep({ file, mapping, onChange, onDone, onBack }: Props) {
  const { imports: texts } = words.users;
  const mayVerify = may(useMe(), 'users:resetPassword');
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const chosen = Object.values(mapping);
  const twice = members.find((member) => chosen.filter((one) => one === member).length > 1);
  const hasName = chosen.includes('userName') || chosen.includes('emailAddress');
  const problem = twice ? texts.faults.twice(texts.members[twice]) : hasName ? undefined : texts.faults.noUserName;
  const columns: readonly Column<string>[] = [
    {
      key: 'column',
      label: texts.mapping.column,
      width: 30,
      isLead: true,
      cell: (column) => (
        <Text size="sm" fw={600}>
          {column}
        </Text>
      ),
    },
    {
      key: 'sample',
      label: texts.mapping.sample,
      width: 36,
      cell: (column) => <Text size="sm">{sampleOf(file, column)}</Text>,
    },
    {
      key: 'member',
      label: texts.mapping.member,
      width: 34,
      cell: (column) => (
        <NativeSelect
          aria-label={texts.mapping.memberOf(column)}
          data={[
            { value: '', label: texts.mapping.leaveOut },
            ...members.map((value) => ({ value, label: texts.members[value] })),
          ]}
          value={memberOf(mapping, column) ?? ''}
          onChange={(event) => onChange(withMember(mapping, column, event.currentTarget.value))}
        />
      ),
    },
  ];
  return (
    <Stack>
      <Title order={2} size="h4" ref={heading} tabIndex={-1} style={{ outline: 'none', overflowWrap: 'anywhere' }}>
        {words.common.labelled(texts.mapping.title, file.name)}
      </Title>
      {file.system !== undefined && <Text size="sm">{texts.mapping.system(file.system)}</Text>}
      {file.hasMorePages && <Text size="sm">{texts.morePages}</Text>}
      <Text size="sm">{texts.mapping.about(file.rows.length)}</Text>
      <Records label={texts.mapping.title} columns={columns} records={file.columns} keyOf={(column) => column} />
      {chosen.includes('roleNames') && <Text size="sm">{texts.mapping.rolesHint}</Text>}
      {chosen.includes('passwordHash') && <Text size="sm">{texts.mapping.hashHint}</Text>}
      {chosen.some((one) => one === 'isEmailConfirmed' || one === 'isMobileConfirmed') && !mayVerify && (
        <Text size="sm">{words.users.fields.unverifiableHint}</Text>
      )}
      {chosen.includes('tenantId') && <Text size="sm">{texts.mapping.tenantHint}</Text>}
      {problem && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {problem}
        </Text>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onBack}>
          {texts.another}
        </Button>
        <Button onClick={onDone} disabled={problem !== undefined}>
          {texts.check}
        </Button>
      </Group>
    </Stack>
  );
}

function withMember(mapping: Mapping, column: string, text: string): Mapping {
  const { [column]: _, ...others } = mapping;
  const member: Member | undefined = members.find((one) => one === text);
  return member ? { ...others, [column]: member } : others;
}

function sampleOf({ rows }: ImportFile, column: string): string {
  const values = rows.slice(0, SAMPLES).map((row) => {
    const value = 'values' in row ? row.values[column] : undefined;
    const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
    return text.length > SAMPLE_LENGTH ? `${text.slice(0, SAMPLE_LENGTH)}…` : text;
  });
  return values.filter((text) => text !== '').join(' · ');
}
