// One field, built from the schema of its value: label, description, range, default, and warnings.
import { Alert, Box, Group, NativeSelect, NumberInput, Switch, Text, Textarea, TextInput } from '@mantine/core';
import type { KeyboardEvent, ReactNode } from 'react';
import { describeDuration } from '../../ui/format.ts';
import { words } from '../../words/index.ts';
import { findWarning, isWeaker, type Schema } from './definition.ts';
import { describeChoice, describeDefault, describeUnit } from './describe.ts';
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
};

/** Texts that may be longer have a field that wraps. */
const ONE_LINE = 100;

export function ValueField(props: FieldProps) {
  const { schema, value, standard } = props;
  const weaker = isWeaker(schema, value, standard) ? words.settings.weaker : undefined;
  const warnings = [findWarning(schema, value), weaker].filter((text) => text !== undefined);
  return (
    <div>
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
  const { schema, path, label, value, onChange, problems } = props;
  const common = { name: nameOf(path), label, description: describe(props), error: problems[nameOf(path)] };
  switch (entryOf(schema)) {
    case 'switch':
      return (
        <Switch
          {...common}
          styles={{ label: { fontWeight: 500 } }}
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case 'choice':
      return (
        <NativeSelect
          {...common}
          maw={420}
          data={(schema.enum ?? []).map((one) => ({ value: String(one), label: describeChoice(schema, one) }))}
          value={String(value)}
          onChange={(event) => onChange(schema.enum?.find((one) => String(one) === event.currentTarget.value))}
        />
      );
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

/** A number with its unit. A long time is also shown in words. */
function Measured({ schema, value, input }: { schema: Schema; value: unknown; input: ReactNode }) {
  const isTime = schema['x-unit'] === 's' && typeof value === 'number' && value >= 60;
  return (
    <Group gap="xs">
      <Box w={140}>{input}</Box>
      <Text size="sm">
        {describeUnit(schema)}
        {isTime && ` = ${describeDuration(value)}`}
      </Text>
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

function describe({ schema, description, initial }: FieldProps): string | undefined {
  const preset = initial === undefined ? undefined : describeDefault(schema, initial);
  const range = entryOf(schema) === 'number' ? describeRange(schema) : undefined;
  const parts = [description ?? schema.description, range, preset !== undefined && words.settings.default(preset)];
  return parts.filter(Boolean).join(' ') || undefined;
}
