// The fields of a setting: one for a value or list, one for each member of a compound.
import { Stack } from '@mantine/core';
import { type Definition, isRecord } from './definition.ts';
import { ValueField } from './value-field.tsx';

export function SettingFields(props: {
  definition: Definition;
  value: unknown;
  /** The value of the default front end. */
  standard: unknown;
  onChange: (value: unknown) => void;
  problems: Readonly<Record<string, string>>;
}) {
  const { definition, value, standard, onChange, problems } = props;
  const { kind, schema, label, description, default: initial } = definition;
  const { properties } = schema;
  if (kind !== 'compound' || !properties || !isRecord(value)) {
    const own = { schema, label, description, value, standard, initial, onChange, problems };
    return <ValueField {...own} path="" />;
  }
  const presets = isRecord(initial) ? initial : {};
  const standards = isRecord(standard) ? standard : {};
  return (
    <Stack gap="lg">
      {Object.entries(properties).map(([member, inner]) => (
        <ValueField
          key={member}
          schema={inner}
          path={member}
          label={inner.title ?? member}
          value={value[member]}
          standard={standards[member]}
          initial={presets[member]}
          onChange={(next) => onChange({ ...value, [member]: next })}
          problems={problems}
        />
      ))}
    </Stack>
  );
}
