// One field, built from the schema of its value: label, description, range, default, and warnings.
import { Alert, Box, Group, NativeSelect, NumberInput, Switch, Text, Textarea, TextInput } from '@mantine/core';
import type { KeyboardEvent, ReactNode } from 'react';
import { words } from '../../words/all.ts';
import { findWarning, isWeaker, type Schema } from './definition.ts';
import { describeChoice, describeDefault, describeUnit } from './describe.ts';
import { DurationField } from './duration-field.tsx';
import { describeRange, entryOf, nameOf } from './input.ts';
import { JsonField } from './json-field.tsx';
import { ListField } from './list-field.tsx';

export type FieldProps = {
  schema: Schema;
  /** The path of the value in the setting; '' for the whole value. */
  path: string;
  label: string;
  description?: string | undefined;
  value: unknown;
  /** The value of the default front end, at the settings of another one. */
  standard?: unknown;
  /** The default, shown as a hint. */
  initial?: unknown;
  onChange: (value: unknown) => void;
  /** The faults, by path. */
  problems: Readonly<Record<string, string>>;
  /** Why the value has no effect, if so. The field is dimmed, and can be changed. */
  idle?: string | undefined;
};

/** How a field without effect looks. Its text stays legible (WCAG 2.2, 1.4.3). */
const dimmed = { color: 'var(--mantine-color-dimmed)' } as const;
const faded = { styles: { label: dimmed, input: dimmed } };

/** Texts that may be longer have a field that wraps. */
const ONE_LINE = 100;

export function ValueField(props: FieldProps) {
  const { schema, value, standard, idle } = props;
  const weaker = isWeaker(schema, value, standard) ? words.settings.weaker : undefined;
  const warnings = [findWarning(schema, value), weaker].filter((text) => text !== undefined);
  return (
    <div {...(idle && { 'data-idle': true })}>
      <Entry {...props} />
      <div role="status">
        {warnings.length > 0 && (
          <Alert color="yellow" variant="light" mt="xs" p="xs">
            <Text size="sm" fw={600}>
              {words.settings.warning}
            </Text>
            {warnings.map((text) => (
              <Text key={text} size="sm">
                {text}
              </Text>
            ))}
          </Alert>
        )}
      </div>
    </div>
  );
}

function Entry(props: FieldProps) {
  const { schema, path, label, value, onChange, problems, idle } = props;
  const error = problems[nameOf(path)];
  const common = { name: nameOf(path), label, description: describe(props), error, ...(idle && faded) };
  switch (entryOf(schema)) {
    case 'switch':
      return (
        <Switch
          {...common}
          styles={{ label: { fontWeight: 500, ...(idle && dimmed) } }}
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case 'choice':
      return (
        <NativeSelect
          {...common}
          inputContainer={(input) => <Box maw={420}>{input}</Box>}
          data={(schema.enum ?? []).map((one) => ({ value: String(one), label: describeChoice(schema, one) }))}
          value={String(value)}
          onChange={(event) => onChange(schema.enum?.find((one) => String(one) === event.currentTarget.value))}
        />
      );
    case 'duration':
      return <DurationField common={common} schema={schema} value={value} onChange={onChange} />;
    case 'number':
      return (
        <NumberInput
          {...common}
          value={typeof value === 'number' ? value : String(value ?? '')}
          onChange={onChange}
          allowDecimal={schema.type === 'number'}
          clampBehavior="none"
          {...(schema.minimum !== undefined && { min: schema.minimum })}
          {...(schema.maximum !== undefined && { max: schema.maximum })}
          inputContainer={(input) => <Measured schema={schema} value={value} input={input} />}
        />
      );
    case 'text':
      return <TextField {...props} common={common} />;
    case 'list':
      return (
        <ListField
          {...props}
          description={common.description}
          problem={common.error}
          renderField={(field) => <ValueField {...field} problems={problems} />}
        />
      );
    case 'json':
      return <JsonField common={common} value={value} onChange={onChange} />;
  }
}

/** A number with its unit. */
function Measured({ schema, value, input }: { schema: Schema; value: unknown; input: ReactNode }) {
  return (
    <Group gap="xs">
      <Box w={140}>{input}</Box>
      <Text size="sm">{describeUnit(schema, value)}</Text>
    </Group>
  );
}

type Common = { name: string; label: string; description: string | undefined; error: string | undefined };

function TextField({ schema, value, onChange, common }: FieldProps & { common: Common }) {
  const text = String(value ?? '');
  const length = schema.maxLength === undefined ? {} : { maxLength: schema.maxLength };
  if (schema['x-lines']) {
    const monospace = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } };
    return (
      <Textarea
        {...common}
        {...length}
        autosize
        minRows={3}
        maxRows={16}
        styles={monospace}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  if ((schema.maxLength ?? 0) <= ONE_LINE) {
    return <TextInput {...common} {...length} value={text} onChange={(event) => onChange(event.currentTarget.value)} />;
  }
  return (
    <Textarea
      {...common}
      {...length}
      autosize
      minRows={1}
      value={text}
      onKeyDown={submitOnEnter}
      onChange={(event) => onChange(event.currentTarget.value.replace(/[\r\n]+/g, ' '))}
    />
  );
}

/** Submits on Enter: the text has one line, although its field wraps. */
function submitOnEnter(event: KeyboardEvent<HTMLTextAreaElement>) {
  if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

function describe({ schema, description, initial, idle }: FieldProps): string | undefined {
  const preset = initial === undefined ? undefined : describeDefault(schema, initial);
  const hasRange = ['number', 'duration'].includes(entryOf(schema));
  const range = hasRange ? describeRange(schema) : undefined;
  const about = description ?? schema.description;
  const parts = [idle, about, range, preset !== undefined && words.settings.default(preset)];
  return parts.filter(Boolean).join(' ') || undefined;
}
