// Where the value of a setting comes from: the default, the whole service, or the front end, and which of them applies.
import { Group, Stack, Text } from '@mantine/core';
import { Dialog } from '../../ui/dialog.tsx';
import { Moment } from '../../ui/moment.tsx';
import { LoadFailure, Loading } from '../../ui/page.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { words } from '../../words/all.ts';
import { useSettings } from './context.ts';
import { DEFAULT_FRONT_END, type Definition, isSame } from './definition.ts';
import { describeValue } from './describe.ts';
import { useHistory } from './use-setting.ts';
import type { Override } from './values.ts';

type Layer = {
  readonly name: string;
  readonly value: string;
  readonly override?: Override | undefined;
  readonly applies: boolean;
  readonly hint?: string;
};

export function OriginDialog(props: { definition: Definition; appKey: string | undefined; onClose: () => void }) {
  const { definition, appKey, onClose } = props;
  const layers = useLayers(definition, appKey);
  const history = useHistory(definition.name, appKey);
  const text = words.settings.origin;
  const last = history.data?.[0];
  return (
    <Dialog isOpen onClose={onClose} title={text.of(definition.label)} isWide>
      <Stack component="ol" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
        {layers.map(({ name, value, override, applies, hint }) => (
          <Stack key={name} component="li" gap={2}>
            <Group gap="xs">
              <Text size="sm" fw={600}>
                {name}
              </Text>
              {applies && <StatusBadge colour="blue">{text.applies}</StatusBadge>}
            </Group>
            <Text size="sm" lineClamp={6} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {value}
            </Text>
            {hint && (
              <Text size="sm" c="dimmed">
                {hint}
              </Text>
            )}
            {override && (
              <Group gap={6}>
                <Text size="sm" c="dimmed">
                  {words.settings.history.last(override.by)}
                </Text>
                <Moment at={override.at} />
              </Group>
            )}
          </Stack>
        ))}
      </Stack>
      {history.isPending && <Loading rows={1} />}
      {history.error && <LoadFailure error={history.error} retry={history.refetch} />}
      {last?.newValue === null && (
        <Group gap={6} mt="md">
          <Text size="sm" c="dimmed">
            {last.by === null ? text.reset : text.resetBy(last.by)}
          </Text>
          <Moment at={last.at} />
        </Group>
      )}
    </Dialog>
  );
}

/** Returns the values in the order in which they override each other. */
function useLayers(definition: Definition, appKey: string | undefined): Layer[] {
  const { values, frontEnds } = useSettings();
  const { name, schema, default: initial, scope } = definition;
  const text = words.settings.origin;
  const nameOf = (key: string) => frontEnds.find((one) => one.appKey === key)?.name ?? key;
  const describeOwn = (key: string | undefined) =>
    values.find(name, key) ? describeValue(schema, values.read(definition, key)) : text.unset;
  const own = values.find(name, appKey);
  const isOther = appKey !== undefined && appKey !== DEFAULT_FRONT_END;
  const standard = values.read(definition, DEFAULT_FRONT_END);
  const isStricter = isOther && schema['x-strictest'] === true;
  const prevails = isOther && schema['x-prevails'] !== undefined && isSame(standard, schema['x-prevails']);
  const base: Layer = { name: text.default, value: describeValue(schema, initial), applies: !own && !prevails };
  if (scope === 'general') {
    const general = { name: text.general, value: describeOwn(undefined), override: own, applies: own !== undefined };
    return [base, { ...general, hint: text.noFrontEnd }];
  }
  const key = appKey ?? DEFAULT_FRONT_END;
  const frontEnd: Layer = {
    name: nameOf(key),
    value: describeOwn(key),
    override: own,
    applies: own !== undefined && !prevails,
    ...(isStricter && { hint: text.stricter(nameOf(DEFAULT_FRONT_END)) }),
  };
  const layers: Layer[] = [base, { name: text.general, value: text.perFrontEnd, applies: false }, frontEnd];
  if (!prevails) return layers;
  const defaultName = nameOf(DEFAULT_FRONT_END);
  return [
    ...layers,
    {
      name: defaultName,
      value: describeOwn(DEFAULT_FRONT_END),
      override: values.find(name, DEFAULT_FRONT_END),
      applies: true,
      hint: text.prevails(defaultName),
    },
  ];
}
