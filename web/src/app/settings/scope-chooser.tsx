// The choice of the scope: general settings, or the settings of one front end.
import { NativeSelect, SegmentedControl, Stack, Text } from '@mantine/core';
import type { Calls } from 'latchkey-sdk';
import { words } from '../../words/index.ts';

export type FrontEnd = Calls['FrontEndApp/GetAll']['result']['items'][number];

export function ScopeChooser(props: {
  frontEnds: readonly FrontEnd[];
  /** Absent for general settings. */
  chosen: FrontEnd | undefined;
  onChoose: (appKey: string | undefined) => void;
}) {
  const { frontEnds, chosen, onChoose } = props;
  const text = words.settings.scope;
  return (
    <Stack gap="sm" align="flex-start">
      <SegmentedControl
        aria-label={text.label}
        value={chosen ? 'frontEnd' : 'general'}
        onChange={(scope) => onChoose(scope === 'general' ? undefined : frontEnds[0]?.appKey)}
        data={[
          { value: 'general', label: text.general },
          { value: 'frontEnd', label: text.frontEnd },
        ]}
      />
      {chosen && (
        <NativeSelect
          label={text.select}
          value={chosen.appKey}
          onChange={(event) => onChoose(event.currentTarget.value)}
          data={frontEnds.map(({ appKey, name }) => ({ value: appKey, label: name }))}
          maw="100%"
        />
      )}
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {chosen ? text.frontEndHint(chosen.name) : text.generalHint}
      </Text>
    </Stack>
  );
}
