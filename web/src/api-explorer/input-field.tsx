// A member of the input of a call, as a field.
import { NativeSelect, PasswordInput, Textarea, TextInput } from '@mantine/core';
import { words } from '../words/all.ts';
import type { Api, Member } from './document.ts';
import { describeType, fieldOf } from './schema.ts';

export function InputField(props: {
  member: Member;
  schemas: Api['schemas'];
  /** What was typed; for a choice, the JSON of the value. */
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}) {
  const { member, schemas, value, error, onChange } = props;
  const { name, schema, isRequired, description } = member;
  const field = fieldOf(schema, schemas);
  const type = isRequired ? `${describeType(schema)}, ${words.api.required}` : describeType(schema);
  const shared = {
    name,
    label: name,
    description: description === undefined ? type : `${type}. ${description}`,
    value,
    error,
    autoComplete: 'off',
    autoCapitalize: 'none',
    spellCheck: false,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  } as const;
  switch (field.kind) {
    case 'choice':
      return (
        <NativeSelect
          {...shared}
          data={[
            { value: '', label: words.api.notSent },
            ...field.values.map((one) => ({ value: JSON.stringify(one), label: String(one) })),
          ]}
        />
      );
    case 'json':
      return (
        <Textarea
          {...shared}
          label={`${name} (${words.api.json})`}
          autosize
          minRows={2}
          maxRows={16}
          styles={{ input: { fontFamily: 'monospace' } }}
        />
      );
    case 'secret':
      return (
        <PasswordInput
          {...shared}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': words.common.showPassword }}
        />
      );
    case 'number':
      return <TextInput {...shared} inputMode="numeric" />;
    case 'text':
      return <TextInput {...shared} />;
  }
}
