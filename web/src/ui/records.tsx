// A list of records: a table, and on a narrow screen a list of cards with the same content, or of rows with what matters most.
import { Box, Checkbox, Group, NativeSelect, Paper, Stack, Table, Text, UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { words } from '../words/index.ts';

export type Column<Record> = {
  /** The column `actions` stands at the end of the rows of a table. */
  readonly key: string;
  /** Empty for content that needs none. */
  readonly label: string;
  /** The width in a table: a share of the widths of all columns, or in per cent if a column has none. */
  readonly width?: number;
  readonly cell: (record: Record) => ReactNode;
  /** Whether it heads the card, without its label. */
  readonly isLead?: boolean;
  /** Whether records can be ordered by it. */
  readonly isSortable?: boolean;
};

export type Order = { readonly column: string; readonly isDescending: boolean };

/** The chosen records. `nameOf` returns what a screen reader says of one. */
export type Choice<Record> = {
  readonly chosen: ReadonlySet<string>;
  readonly choose: (keys: readonly string[], isChosen: boolean) => void;
  readonly nameOf: (record: Record) => string;
};

type RecordsProps<Record> = {
  readonly label: string;
  readonly columns: readonly Column<Record>[];
  readonly records: readonly Record[];
  readonly keyOf: (record: Record) => string;
  readonly order?: Order;
  readonly onOrder?: (order: Order) => void;
  readonly choice?: Choice<Record>;
  /** What a row has on a narrow screen, in place of a card with all columns. Its page has the {@link OrderChoice}. */
  readonly row?: (record: Record) => ReactNode;
  /** Whether other records are on their way. Nobody can act on these ones meanwhile. */
  readonly isStale?: boolean;
};

/** Below this width a table would cut words or hide columns. */
export const NARROW = '(max-width: 62em)';

/** The height of the header of the page, which the headings of a long table stay below. */
const BELOW_HEADER = 56;

/** Long names wrap within their column. */
const wrap = { overflowWrap: 'anywhere' } as const;

/** Rows of the former search: seen, and out of reach for pointer, keyboard and screen reader. */
const stale = { inert: true, style: { opacity: 0.5 } } as const;

export function Records<Record>(props: RecordsProps<Record>) {
  // The first rendering has the right form, so that nothing moves.
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  const choice = useRanges(props);
  const { columns, order, onOrder, row } = props;
  if (!isNarrow) return <Rows {...props} choice={choice} />;
  if (row) return <NarrowRows {...props} choice={choice} row={row} />;
  return (
    <Stack gap="sm">
      {onOrder && <OrderChoice columns={columns} order={order} onOrder={onOrder} />}
      <Cards {...props} choice={choice} />
    </Stack>
  );
}

/** Returns the choice whose `chooseTo` also chooses what lies between the record and the last one that was chosen. */
function useRanges<Record>({ choice, records, keyOf }: RecordsProps<Record>): Ranges<Record> | undefined {
  const last = useRef<string>(undefined);
  if (!choice) return undefined;
  const chooseTo = (key: string, isChosen: boolean, isRange: boolean) => {
    const keys = records.map(keyOf);
    const [from, to] = [keys.indexOf(last.current ?? key), keys.indexOf(key)];
    const range = keys.slice(Math.min(from, to), Math.max(from, to) + 1);
    last.current = key;
    choice.choose(isRange && from >= 0 ? range : [key], isChosen);
  };
  return { ...choice, chooseTo };
}

/** `isRange`: from the record that was chosen last. */
type Ranges<Record> = Choice<Record> & {
  readonly chooseTo: (key: string, isChosen: boolean, isRange: boolean) => void;
};

type WithRanges<Record> = Omit<RecordsProps<Record>, 'choice'> & { choice: Ranges<Record> | undefined };

function Rows<Record>(props: WithRanges<Record>) {
  const { label, columns, records, keyOf, order, onOrder, choice, isStale = false } = props;
  return (
    <Paper withBorder>
      <Table
        className="records"
        layout="fixed"
        stickyHeader
        stickyHeaderOffset={BELOW_HEADER}
        aria-label={label}
        aria-busy={isStale}
      >
        <Table.Thead>
          <Table.Tr>
            {choice && (
              <Table.Th w={44}>
                <ChooseAll records={records} keyOf={keyOf} choice={choice} isDisabled={isStale} />
              </Table.Th>
            )}
            {columns.map((column) => (
              <Heading key={column.key} column={column} total={totalWidth(columns)} order={order} onOrder={onOrder} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody {...(isStale && stale)}>
          {records.map((record) => (
            <Table.Tr key={keyOf(record)}>
              {choice && (
                <Table.Td>
                  <Choose record={record} keyOf={keyOf} choice={choice} />
                </Table.Td>
              )}
              {columns.map(({ key, cell }) => (
                <Table.Td key={key} style={wrap} {...atEnd(key)}>
                  {cell(record)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

const atEnd = (key: string) => key === 'actions' && { className: 'row-end' };

/** What the widths of columns are shares of: their sum, or 100 if a column has none. */
const totalWidth = (columns: readonly { readonly width?: number }[]) =>
  columns.reduce((total, { width = Number.NaN }) => total + width, 0) || 100;

function Heading<Record>(props: {
  column: Column<Record>;
  total: number;
  order: Order | undefined;
  onOrder: ((order: Order) => void) | undefined;
}) {
  const { column, total, order, onOrder } = props;
  const { key, label, width, isSortable } = column;
  const at = { ...(width !== undefined && { w: `${(100 * width) / total}%` }), ...atEnd(key) };
  // An empty heading is none to a screen reader, and looks like the others.
  if (label === '') return <Table.Td {...at} className={Table.classes.th} />;
  if (!isSortable || !onOrder) return <Table.Th {...at}>{label}</Table.Th>;
  const present = order?.column === key ? order : undefined;
  const direction = present?.isDescending ? 'descending' : 'ascending';
  const Icon = present ? { ascending: ArrowUp, descending: ArrowDown }[direction] : ChevronsUpDown;
  return (
    <Table.Th {...at} aria-sort={present ? direction : 'none'}>
      <UnstyledButton
        fz="inherit"
        fw="inherit"
        onClick={() => onOrder({ column: key, isDescending: present ? !present.isDescending : false })}
      >
        <Group gap={4} wrap="nowrap">
          {label}
          <Icon size={14} aria-hidden />
        </Group>
      </UnstyledButton>
    </Table.Th>
  );
}

/** One line for each record, in one frame. */
function NarrowRows<Record>(props: WithRanges<Record> & { row: (record: Record) => ReactNode }) {
  const { label, records, keyOf, choice, isStale = false, row } = props;
  return (
    <Stack gap="xs">
      {choice && records.length > 0 && (
        <Group px="sm">
          <ChooseAll records={records} keyOf={keyOf} choice={choice} isDisabled={isStale} hasLabel />
        </Group>
      )}
      <Paper component="ul" withBorder className="rows" aria-label={label} aria-busy={isStale}>
        {records.map((record) => (
          <Group key={keyOf(record)} component="li" gap="sm" wrap="nowrap" {...(isStale && stale)}>
            {choice && <Choose record={record} keyOf={keyOf} choice={choice} isLarge />}
            {row(record)}
          </Group>
        ))}
      </Paper>
    </Stack>
  );
}

function Cards<Record>(props: WithRanges<Record>) {
  const { label, columns, records, keyOf, choice, isStale = false } = props;
  return (
    <Stack
      component="ul"
      className="cards"
      gap="xs"
      m={0}
      p={0}
      aria-label={label}
      aria-busy={isStale}
      style={{ listStyle: 'none' }}
    >
      {choice && records.length > 0 && (
        <Group component="li" gap="xs" px="md">
          <ChooseAll records={records} keyOf={keyOf} choice={choice} isDisabled={isStale} hasLabel />
        </Group>
      )}
      {records.map((record) => (
        <Paper key={keyOf(record)} component="li" withBorder p="md" {...(isStale && stale)}>
          <Group align="flex-start" wrap="nowrap" gap="sm">
            {choice && <Choose record={record} keyOf={keyOf} choice={choice} />}
            <Stack gap={6} flex={1} miw={0} style={wrap}>
              {columns.map(({ key, label: name, cell, isLead }) => {
                const content = cell(record);
                if (content === null || content === undefined || content === '') return null;
                if (isLead || name === '') return <Box key={key}>{content}</Box>;
                return (
                  // A value gets a line of its own only if almost nothing is left beside the label.
                  <Group key={key} component="dl" className="fact" gap={8} style={{ rowGap: 0 }} m={0} align="baseline">
                    <Text component="dt" size="xs" c="dimmed">
                      {name}
                    </Text>
                    <Box component="dd" m={0} miw={0} maw="100%" flex="1 1 120px" fz="sm">
                      {content}
                    </Box>
                  </Group>
                );
              })}
            </Stack>
          </Group>
        </Paper>
      ))}
    </Stack>
  );
}

/** On a narrow screen, which has no headings, the order is a choice. */
export function OrderChoice<Record>(props: {
  columns: readonly Column<Record>[];
  order: Order | undefined;
  onOrder: (order: Order) => void;
}) {
  const { columns, order, onOrder } = props;
  const choices = columns
    .filter(({ isSortable }) => isSortable)
    .flatMap(({ key, label }) => [
      { order: { column: key, isDescending: false }, label: words.records.ascending(label) },
      { order: { column: key, isDescending: true }, label: words.records.descending(label) },
    ]);
  const isPresent = (one: Order) => one.column === order?.column && one.isDescending === order.isDescending;
  return (
    <NativeSelect
      label={words.records.sort}
      data={choices.map(({ label }, index) => ({ value: String(index), label }))}
      value={String(choices.findIndex((one) => isPresent(one.order)))}
      onChange={(event) => {
        const chosen = choices[Number(event.currentTarget.value)];
        if (chosen) onOrder(chosen.order);
      }}
    />
  );
}

type Chooser<Record> = { keyOf: (record: Record) => string; choice: Ranges<Record> };

/** With the Shift key, a click or the space bar chooses a range. */
function Choose<Record>(props: Chooser<Record> & { record: Record; isLarge?: boolean }) {
  const { record, keyOf, choice, isLarge = false } = props;
  const key = keyOf(record);
  const isRange = useRef(false);
  return (
    <Checkbox
      {...(isLarge && { size: 'md' })}
      aria-label={words.records.choose(choice.nameOf(record))}
      checked={choice.chosen.has(key)}
      // The click comes before the change, also that of the space bar.
      onClick={({ shiftKey }) => {
        isRange.current = shiftKey;
      }}
      onChange={({ currentTarget }) => choice.chooseTo(key, currentTarget.checked, isRange.current)}
    />
  );
}

function ChooseAll<Record>(
  props: Chooser<Record> & { records: readonly Record[]; isDisabled: boolean; hasLabel?: boolean },
) {
  const { records, keyOf, choice, isDisabled, hasLabel = false } = props;
  const keys = records.map(keyOf);
  const count = keys.filter((key) => choice.chosen.has(key)).length;
  return (
    <Checkbox
      {...(hasLabel ? { label: words.records.chooseAll, size: 'md' } : { 'aria-label': words.records.chooseAll })}
      disabled={isDisabled}
      checked={count > 0 && count === keys.length}
      indeterminate={count > 0 && count < keys.length}
      onChange={({ currentTarget }) => choice.choose(keys, currentTarget.checked)}
    />
  );
}
