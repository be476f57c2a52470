// The fields of a setting: one for a value or list, one for each member of a compound.
import { Code, Group, Stack, Text } from '@mantine/core';
import { words } from '../../words/all.ts';
import { useSettings } from './context.ts';
import { type Definition, isRecord, type Schema } from './definition.ts';
import { ValueField } from './value-field.tsx';
import { applyMeans, findMissingMeans, findUnmet, type ReadByName } from './values.ts';

export function SettingFields(props: {
  definition: Definition;
  value: unknown;
  /** The value of the default front end. */
  standard: unknown;
  onChange: (value: unknown) => void;
  problems: Readonly<Record<string, string>>;
  readByName: ReadByName;
}) {
  const { definition, value, standard, onChange, problems, readByName } = props;
  const { kind, schema, label, description, default: initial } = definition;
  const { properties } = schema;
  const { means } = useSettings();
  const findIdle = (inner: Schema, own: unknown) => {
    const missing = findMissingMeans(inner, own, means);
    if (missing) return words.settings.needs([words.settings.sends[missing.means]]);
    const unmet = findUnmet(
      inner['x-needs'],
      { definition, value: applyMeans(definition, value, means) },
      readByName,
      means,
    );
    return unmet && words.settings.needs(unmet);
  };
  if (kind !== 'compound' || !properties || !isRecord(value)) {
    const own = { schema, label, description, value, standard, initial, onChange, problems };
    return <ValueField {...own} path="" idle={findIdle(schema, value)} />;
  }
  const presets = isRecord(initial) ? initial : {};
  const standards = isRecord(standard) ? standard : {};
  return (
    <Stack gap="lg">
      {schema['x-placeholders'] && <Placeholders all={schema['x-placeholders']} />}
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
          idle={findIdle(inner, value[member])}
        />
      ))}
    </Stack>
  );
}

/** What the texts of a message may hold. */
function Placeholders({ all }: { all: Readonly<Record<string, string>> }) {
  return (
    <div>
      <Text size="sm" mb={4}>
        {words.settings.placeholders}
      </Text>
      <Group component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
        {Object.entries(all).map(([name, meaning]) => (
          <Text component="li" key={name} size="sm" c="dimmed" mr="xs">
            <Code>{`{{${name}}}`}</Code> {meaning}
          </Text>
        ))}
      </Group>
    </div>
  );
}
