// The values of several front ends side by side.
import { Anchor, Stack, Switch, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { Empty } from '../../ui/page.tsx';
import { type Column, Records } from '../../ui/records.tsx';
import { words } from '../../words/all.ts';
import { linkTo, useSettings } from './context.ts';
import { type Definition, isSame } from './definition.ts';
import { describeValue } from './describe.ts';
import { FrontEndChoice } from './front-end-choice.tsx';
import type { FrontEnd } from './scope-chooser.tsx';

/** More columns would cut words. */
const MOST = 4;

export function CompareView() {
  const { definitions, frontEnds, values } = useSettings();
  const [keys, setKeys] = useState(() => frontEnds.slice(0, 3).map(({ appKey }) => appKey));
  const [isShort, setShort] = useState(false);
  const text = words.settings.compare;
  const chosen = frontEnds.filter(({ appKey }) => keys.includes(appKey));
  const differs = (definition: Definition) => {
    const [first, ...others] = chosen.map(({ appKey }) => values.read(definition, appKey));
    return others.some((other) => !isSame(first, other));
  };
  const shown = definitions
    .filter((definition) => definition.scope === 'frontEnd' && (!isShort || differs(definition)))
    .toSorted((a, b) => a.order - b.order);
  return (
    <Stack gap="md" component="section" aria-label={text.title}>
      <Title order={2} size="h3">
        {text.title}
      </Title>
      <FrontEndChoice
        label={text.label}
        description={text.hint(MOST)}
        frontEnds={frontEnds}
        chosen={keys}
        onChoose={setKeys}
        most={MOST}
      />
      <Switch
        label={text.onlyDifferences}
        checked={isShort}
        onChange={({ currentTarget }) => setShort(currentTarget.checked)}
      />
      {chosen.length === 0 && <Empty>{text.choose}</Empty>}
      {chosen.length > 0 && shown.length === 0 && <Empty>{text.same}</Empty>}
      {chosen.length > 0 && shown.length > 0 && (
        <Records
          label={text.title}
          columns={[settingColumn(), ...chosen.map((frontEnd) => valueColumn(frontEnd, chosen.length))]}
          records={shown.map((definition) => ({ definition, differs: differs(definition) }))}
          keyOf={({ definition }) => definition.name}
        />
      )}
    </Stack>
  );
}

type Row = { readonly definition: Definition; readonly differs: boolean };

const settingColumn = (): Column<Row> => ({
  key: 'setting',
  label: words.settings.compare.setting,
  width: 30,
  isLead: true,
  cell: ({ definition }) => (
    <>
      <Text size="sm" fw={600}>
        {definition.label}
      </Text>
      <Text size="xs" c="dimmed">
        {definition.categoryLabel}
      </Text>
    </>
  ),
});

const valueColumn = (frontEnd: FrontEnd, count: number): Column<Row> => ({
  key: frontEnd.appKey,
  label: frontEnd.name,
  width: 70 / count,
  cell: (row) => <Value {...row} frontEnd={frontEnd} />,
});

function Value({ definition, differs, frontEnd }: Row & { frontEnd: FrontEnd }) {
  const { values } = useSettings();
  const { appKey } = frontEnd;
  return (
    <>
      <Anchor
        component={Link}
        to={linkTo(definition, appKey)}
        size="sm"
        fw={differs ? 700 : 400}
        lineClamp={4}
        style={{ whiteSpace: 'pre-wrap' }}
      >
        {describeValue(definition.schema, values.read(definition, appKey))}
      </Anchor>
      {!values.isChanged(definition, appKey) && (
        <Text size="xs" c="dimmed">
          {words.settings.compare.isDefault}
        </Text>
      )}
    </>
  );
}
