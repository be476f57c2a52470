// The dialog of presets: shows what would change, and fills the values in.
import { Alert, Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { hashKey } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { useNotify } from '../../ui/notify.tsx';
import { words } from '../../words/all.ts';
import { useSettings } from './context.ts';
import { Differences } from './differences.tsx';
import { FrontEndChoice } from './front-end-choice.tsx';
import { type Preset, type Proposal, presets, proposeChanges } from './presets.ts';

const names: readonly Preset[] = ['aal1', 'aal2', 'shesha'];

export function PresetsDialog({ onClose }: { onClose: () => void }) {
  const { definitions, frontEnds, values, edits } = useSettings();
  const notify = useNotify();
  const [preset, setPreset] = useState<Preset>('aal1');
  const [keys, setKeys] = useState(() => frontEnds.map(({ appKey }) => appKey));
  const text = words.settings.presets;
  const proposals = proposeChanges(preset, definitions, keys, values.read);
  const isDirty = edits.all.length > 0;
  const isPerFrontEnd = presets[preset].some(({ setting }) =>
    definitions.some(({ name, scope }) => name === setting && scope === 'frontEnd'),
  );
  const use = () => {
    for (const { definition, appKey, draft } of proposals) edits.put(definition, appKey, draft);
    notify(text.used(proposals.length));
    onClose();
  };
  return (
    <Dialog isOpen onClose={onClose} title={text.title} isWide>
      <Stack gap="md">
        <Text size="sm">{text.reason}</Text>
        <NativeSelect
          label={text.choose}
          description={text.about[preset]}
          value={preset}
          onChange={({ currentTarget }) => setPreset(names.find((one) => one === currentTarget.value) ?? preset)}
          data={names.map((value) => ({ value, label: text.names[value] }))}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
        {isPerFrontEnd && (
          <FrontEndChoice
            label={text.frontEnds}
            description={text.frontEndsHint}
            frontEnds={frontEnds}
            chosen={keys}
            onChoose={setKeys}
          />
        )}
        <Text size="sm" fw={600} role="status">
          {proposals.length === 0 ? text.complies : text.preview(proposals.length)}
        </Text>
        <Stack component="ol" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
          {groupAlike(proposals).map(([{ definition, draft, sections }, appKeys]) => (
            <Stack component="li" key={`${definition.name} ${appKeys}`} gap={2}>
              <Text size="xs" c="dimmed">
                {[
                  definition.categoryLabel,
                  frontEnds
                    .filter(({ appKey }) => appKeys.includes(appKey))
                    .map(({ name }) => name)
                    .join(', '),
                  sections.length > 0 && text.source(sections.join(', ')),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </Text>
              <Differences definition={definition} from={draft.base} to={draft.value} />
            </Stack>
          ))}
        </Stack>
        {isDirty && (
          <Alert color="yellow" variant="light" p="xs">
            <Text size="sm">{text.dirty}</Text>
          </Alert>
        )}
        <Group justify="flex-end" className="dialog-buttons">
          <Button variant="default" onClick={onClose}>
            {words.common.cancel}
          </Button>
          {proposals.length > 0 && (
            <Button onClick={use} disabled={isDirty}>
              {text.use(proposals.length)}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}

/** Puts the same change of several front ends together. */
function groupAlike(proposals: readonly Proposal[]): [Proposal, appKeys: (string | undefined)[]][] {
  const alike = Map.groupBy(proposals, ({ definition, draft }) => hashKey([definition.name, draft.base, draft.value]));
  return [...alike.values()].flatMap((group) => {
    const [first] = group;
    return first ? [[first, group.map(({ appKey }) => appKey)]] : [];
  });
}
