// The field for a duration: a number and its unit. The value is in seconds.
import { Box, Group, NativeSelect, NumberInput, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { countUnits, nameUnit } from '../../ui/format.ts';
import { words } from '../../words/all.ts';
import type { Schema } from './definition.ts';

const LENGTHS = { second: 1, minute: 60, hour: 3600, day: 86_400 } as const;

type Unit = keyof typeof LENGTHS;

const units: readonly Unit[] = ['second', 'minute', 'hour', 'day'];

/** Fractions of a unit have up to this many digits. */
const DIGITS = 3;

/** Returns the longest unit of which the duration is a whole number. */
function findUnit(seconds: unknown): Unit {
  if (typeof seconds !== 'number' || seconds === 0) return 'second';
  return units.findLast((unit) => seconds % LENGTHS[unit] === 0) ?? 'second';
}

export function DurationField(props: {
  common: { name: string; label: string; description: ReactNode; error: string | undefined };
  schema: Schema;
  value: unknown;
  onChange: (value: unknown) => void;
}) {
  const { common, schema, value, onChange } = props;
  const { minimum = 0, maximum = Number.POSITIVE_INFINITY } = schema;
  const [unit, setUnit] = useState(() => findUnit(value));
  const [own, setOwn] = useState(value);
  // Another value than the one that was typed here has its own best unit: after a reset, for example.
  if (own !== value) {
    setOwn(value);
    setUnit(findUnit(value));
  }
  const length = LENGTHS[unit];
  const change = (next: unknown) => {
    setOwn(next);
    onChange(next);
  };
  const inUnit = (seconds: number) => Number((seconds / length).toFixed(DIGITS));
  const isOffered = (one: Unit) => LENGTHS[one] <= maximum || one === unit;
  const choose = (next: Unit) => {
    setUnit(next);
    if (typeof value === 'number') change(Math.round(inUnit(value) * LENGTHS[next]));
  };
  // Without a number, the units are in the plural.
  const shown = typeof value === 'number' ? inUnit(value) : 2;
  return (
    <NumberInput
      {...common}
      value={typeof value === 'number' ? inUnit(value) : String(value ?? '')}
      onChange={(next) => change(typeof next === 'number' ? Math.round(next * length) : next)}
      decimalScale={DIGITS}
      clampBehavior="none"
      min={minimum / length}
      {...(Number.isFinite(maximum) && { max: maximum / length })}
      inputContainer={(input) => (
        <Group gap={6} align="flex-end">
          <Box w={100}>{input}</Box>
          <NativeSelect
            w={118}
            aria-label={words.settings.unitOf(common.label)}
            value={unit}
            onChange={({ currentTarget }) => choose(units.find((one) => one === currentTarget.value) ?? unit)}
            data={units.filter(isOffered).map((one) => ({ value: one, label: nameUnit(shown, one) }))}
          />
          {typeof value === 'number' && !Number.isInteger(inUnit(value)) && (
            <Text size="sm" c="dimmed" lh="36px">
              = {countUnits(value, 'second')}
            </Text>
          )}
        </Group>
      )}
    />
  );
}
