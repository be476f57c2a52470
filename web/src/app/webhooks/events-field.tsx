// The field for the events that a webhook receives: single ones, groups such as signIn.*, or all.
import { Group, Text } from '@mantine/core';
import { matcherOf } from '../../ui/match.ts';
import { TagsField } from '../../ui/tags-field.tsx';
import { words } from '../../words/all.ts';
import { groupsOfActions } from '../audit/action-groups.ts';
import { describePattern, HEAD_EVENT } from './webhook.ts';

const toOption = (value: string) => ({ value, label: describePattern(value) });

/** Returns what can be chosen, by group. Each group begins with the pattern for all of it. */
const optionsOf = () => [
  { group: words.webhooks.events.all, items: [toOption('*')] },
  ...groupsOfActions([HEAD_EVENT]).map(({ name, group, items }) => ({
    group,
    items: [toOption(`${name}.*`), ...items],
  })),
];

export function EventsField(props: {
  value: string[];
  error: string | undefined;
  onChange: (patterns: string[]) => void;
}) {
  const { value, error, onChange } = props;
  const { label, hint } = words.webhooks.events;
  return (
    <TagsField
      name="actions"
      label={label}
      description={hint}
      data={optionsOf()}
      value={value}
      error={error}
      onChange={onChange}
      maxTags={100}
      maxLength={100}
      splitChars={[',', ';']}
      // The list itself scrolls: what scrolls around it is out of a screen reader's reach.
      withScrollArea={false}
      styles={{ options: { maxHeight: 150, overflowY: 'auto' } }}
      autoCapitalize="none"
      spellCheck={false}
      filter={({ options, search }) => {
        const matches = matcherOf(search);
        return options.flatMap((one) => {
          if (!('group' in one)) return [];
          const items = one.items.filter((item) => {
            const option = typeof item === 'string' ? toOption(item) : item;
            return !value.includes(option.value) && matches(`${option.label} ${option.value} ${one.group}`);
          });
          return items.length === 0 ? [] : [{ ...one, items }];
        });
      }}
      renderOption={({ option: { value: pattern } }) => (
        <Group gap="xs" style={{ rowGap: 0 }}>
          <Text size="sm">{describePattern(pattern)}</Text>
          <Text size="xs" c="dimmed" ff="monospace">
            {pattern}
          </Text>
        </Group>
      )}
    />
  );
}
