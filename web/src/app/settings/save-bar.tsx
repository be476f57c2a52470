// The bar that stays at the lower edge while changes are not saved.
import { Anchor, Box, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { Dialog } from '../../ui/dialog.tsx';
import { reserveBar } from '../../ui/notify.tsx';
import { words } from '../../words/all.ts';
import { linkTo, useSettings } from './context.ts';
import { Differences } from './differences.tsx';
import type { Edit } from './use-edits.ts';

export function SaveBar() {
  const { edits } = useSettings();
  const [isOpen, setOpen] = useState(false);
  const count = edits.all.length;
  const { ref, height } = useElementSize();
  useEffect(() => {
    if (count === 0) setOpen(false);
  }, [count]);
  useEffect(() => {
    reserveBar(height);
    return () => reserveBar(0);
  }, [height]);
  const text = words.settings;
  return (
    <Box pos="sticky" bottom={12} style={{ zIndex: 50 }} ref={ref}>
      <div role="status">
        {count > 0 && (
          <Paper withBorder shadow="md" px="xs" py="sm" role="region" aria-label={text.bar.label}>
            <Group justify="space-between" gap="xs">
              <Text size="sm" fw={600}>
                {text.bar.count(count)}
              </Text>
              <Group gap={8} ms="auto">
                <Button size="xs" px="xs" variant="subtle" onClick={() => setOpen(true)}>
                  {text.bar.review}
                </Button>
                <Button size="xs" variant="default" onClick={() => edits.discard(edits.all)}>
                  {text.discard}
                </Button>
                <Button
                  size="xs"
                  loading={edits.isBusy}
                  onClick={() => void edits.save(edits.all)}
                  aria-keyshortcuts="Control+S"
                >
                  {words.common.save}
                </Button>
              </Group>
            </Group>
          </Paper>
        )}
      </div>
      {isOpen && <Review onClose={() => setOpen(false)} />}
    </Box>
  );
}

/** All changes, from the saved to the typed value. */
function Review({ onClose }: { onClose: () => void }) {
  const { edits, frontEnds } = useSettings();
  const text = words.settings;
  /** The focus goes on to a change that is left. The page gets it with the last one, which closes the dialog. */
  const discard = (edit: Edit, button: Element) => {
    const item = button.closest('li');
    const next = item?.nextElementSibling ?? item?.previousElementSibling;
    edits.discard([edit], !next);
    next?.querySelector('button')?.focus();
  };
  return (
    <Dialog isOpen onClose={onClose} title={text.bar.title} isWide>
      <Stack component="ol" gap="lg" m={0} p={0} style={{ listStyle: 'none' }}>
        {edits.all.map((edit) => {
          const { definition, appKey, draft } = edit;
          const frontEnd = frontEnds.find((one) => one.appKey === appKey);
          return (
            <Stack component="li" key={`${definition.name} ${appKey}`} gap={4}>
              <Group justify="space-between" gap="xs">
                <Anchor
                  component={Link}
                  to={linkTo(definition, appKey)}
                  size="sm"
                  fw={600}
                  py={2}
                  display="inline-block"
                  onClick={onClose}
                  aria-label={text.bar.open(definition.label)}
                >
                  {frontEnd ? `${definition.label} (${frontEnd.name})` : definition.label}
                </Anchor>
                <Button
                  size="compact-sm"
                  variant="subtle"
                  mx={-8}
                  aria-label={text.discardOf(definition.label)}
                  onClick={({ currentTarget }) => discard(edit, currentTarget)}
                >
                  {text.discard}
                </Button>
              </Group>
              <Differences definition={definition} from={draft.base} to={draft.value} />
            </Stack>
          );
        })}
      </Stack>
    </Dialog>
  );
}
