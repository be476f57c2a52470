// The choice of what the page shows: general settings, the settings of one front end, or a comparison.
import { NativeSelect, SegmentedControl, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { Calls } from 'latchkey-sdk';
import { words } from '../../words/all.ts';

export type FrontEnd = Calls['FrontEndApp/GetAll']['result']['items'][number];

/** Below this width the views are listed one below the other. */
const TINY = '(max-width: 30em)';

export type View = 'general' | 'frontEnd' | 'compare';

export function ScopeChooser(props: {
  view: View;
  frontEnds: readonly FrontEnd[];
  /** Absent for general settings. */
  chosen: FrontEnd | undefined;
  onView: (view: View) => void;
  onFrontEnd: (appKey: string) => void;
}) {
  const { view, frontEnds, chosen, onView, onFrontEnd } = props;
  const isTiny = useMediaQuery(TINY, undefined, { getInitialValueInEffect: false });
  const text = words.settings.scope;
  const views = (['general', 'frontEnd', 'compare'] as const).filter(
    (one) => one !== 'compare' || frontEnds.length > 1,
  );
  return (
    <Stack gap="sm" align="flex-start">
      <SegmentedControl
        aria-label={text.label}
        value={view}
        onChange={(next) => onView(views.find((one) => one === next) ?? view)}
        data={views.map((value) => ({ value, label: text[value] }))}
        orientation={isTiny ? 'vertical' : 'horizontal'}
        fullWidth={isTiny}
        {...(isTiny && { w: '100%' })}
      />
      {view === 'frontEnd' && chosen && (
        <NativeSelect
          label={text.select}
          value={chosen.appKey}
          onChange={(event) => onFrontEnd(event.currentTarget.value)}
          data={frontEnds.map(({ appKey, name }) => ({ value: appKey, label: name }))}
          maw="100%"
        />
      )}
      {view !== 'compare' && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {chosen ? text.frontEndHint(chosen.name) : text.generalHint}
        </Text>
      )}
    </Stack>
  );
}
