// The choice of several front ends.
import { Checkbox, Group } from '@mantine/core';
import type { FrontEnd } from './scope-chooser.tsx';

export function FrontEndChoice(props: {
  label: string;
  description: string;
  frontEnds: readonly FrontEnd[];
  /** The keys of the chosen front ends. */
  chosen: readonly string[];
  onChoose: (keys: string[]) => void;
  /** The most that can be chosen. */
  most?: number;
}) {
  const { label, description, frontEnds, chosen, onChoose, most = Number.POSITIVE_INFINITY } = props;
  return (
    <Checkbox.Group label={label} description={description} value={[...chosen]} onChange={onChoose}>
      {/* Many front ends scroll by themselves. */}
      <Group gap="sm" mt="xs" style={{ columnGap: 24, overflowY: 'auto' }} mah={220}>
        {frontEnds.map(({ appKey, name }) => (
          <Checkbox
            key={appKey}
            value={appKey}
            label={name}
            disabled={chosen.length >= most && !chosen.includes(appKey)}
            styles={{ label: { overflowWrap: 'anywhere' }, labelWrapper: { minWidth: 0 } }}
            maw="100%"
          />
        ))}
      </Group>
    </Checkbox.Group>
  );
}
