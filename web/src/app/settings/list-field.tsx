// The field for a list: its entries, with buttons to add and remove one.
import { Button, Fieldset, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { words } from '../../words/all.ts';
import { isRecord, type Schema } from './definition.ts';
import { isId } from './describe.ts';
import { createBlank, nameOf, pathTo } from './input.ts';

/** A field of an entry. */
export type EntryField = {
  schema: Schema;
  path: string;
  label: string;
  description: string | undefined;
  value: unknown;
  onChange: (value: unknown) => void;
};

export function ListField(props: {
  schema: Schema;
  path: string;
  label: string;
  description: string | undefined;
  value: unknown;
  onChange: (value: unknown) => void;
  problem: string | undefined;
  renderField: (field: EntryField) => ReactNode;
}) {
  const { schema, path, label, description, value, onChange, problem, renderField } = props;
  const { items = {}, maxItems = Number.POSITIVE_INFINITY } = schema;
  const entries: readonly unknown[] = Array.isArray(value) ? value : [];
  const members = Object.entries(items.properties ?? {}).filter(([member]) => !isId(member));
  // Entries with one field show its description once, for the whole list.
  const isPlain = members.length === 1;
  const hint = [description, isPlain && members[0]?.[1].description].filter(Boolean).join(' ');
  const list = useRef<HTMLDivElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const [added, setAdded] = useState(0);

  // Focus a new entry. What it is may be typed at once.
  useLayoutEffect(() => {
    if (added > 0)
      list.current?.querySelector<HTMLElement>(':scope > :last-child :is(input, select, textarea)')?.focus();
  }, [added]);

  const add = () => {
    onChange([...entries, createBlank(items)]);
    setAdded(added + 1);
  };
  const remove = (index: number) => {
    onChange(entries.toSpliced(index, 1));
    addButton.current?.focus();
  };
  const fieldsOf = (entry: unknown, index: number): EntryField[] => {
    const own = pathTo(path, index);
    const replace = (next: unknown) => onChange(entries.with(index, next));
    if (!items.properties || !isRecord(entry)) {
      const title = `${items.title ?? label} ${index + 1}`;
      return [
        { schema: items, path: own, label: title, description: items.description, value: entry, onChange: replace },
      ];
    }
    return members.map(([member, inner]) => ({
      schema: inner,
      description: isPlain ? '' : inner.description,
      path: pathTo(own, member),
      label: `${inner.title ?? member} ${index + 1}`,
      value: entry[member],
      onChange: (next) => replace({ ...entry, [member]: next }),
    }));
  };
  return (
    <Fieldset
      name={nameOf(path)}
      tabIndex={-1}
      legend={
        <Text span fw={600} px={4}>
          {label}
        </Text>
      }
    >
      <Stack gap="sm">
        {hint && (
          <Text size="sm" c="dimmed">
            {hint}
          </Text>
        )}
        {entries.length === 0 && <Text size="sm">{words.settings.none}</Text>}
        <Stack gap="sm" ref={list}>
          {entries.map((entry, index) => (
            <Group key={keyOf(entry, index)} gap="sm" align="flex-end">
              <Stack gap="xs" flex="1 1 200px" miw={0}>
                {fieldsOf(entry, index).map((field) => (
                  <div key={field.path}>{renderField(field)}</div>
                ))}
              </Stack>
              <Button
                variant="default"
                aria-label={words.settings.removeEntry(index + 1)}
                onClick={() => remove(index)}
              >
                {words.settings.remove}
              </Button>
            </Group>
          ))}
        </Stack>
        {problem && (
          <Text size="sm" c="red" role="alert">
            {problem}
          </Text>
        )}
        <Group>
          <Button ref={addButton} variant="default" onClick={add} disabled={entries.length >= maxItems}>
            {words.settings.add}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}

const keyOf = (entry: unknown, index: number) => (isRecord(entry) && typeof entry.id === 'string' ? entry.id : index);
