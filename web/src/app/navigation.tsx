// The navigation: the sections that the user may open, in groups.
import { Box, NavLink, Stack, Text } from '@mantine/core';
import { useId } from 'react';
import { Link, useLocation } from 'react-router';
import { useMe } from './me.ts';
import { groupsFor, isWithin, type Section } from './sections.ts';

/** @param onOpen runs when a link is followed. */
export function Navigation({ onOpen }: { onOpen: () => void }) {
  return (
    <Box flex={1} pt={{ base: 'sm', md: 0 }} style={{ overflowY: 'auto' }}>
      <Stack gap="md" px="sm" pb="sm">
        {groupsFor(useMe()).map(({ label, sections }) => (
          <Group key={sections[0]?.path} label={label?.()} sections={sections} onOpen={onOpen} />
        ))}
      </Stack>
    </Box>
  );
}

function Group(props: { label: string | undefined; sections: readonly Section[]; onOpen: () => void }) {
  const { label, sections, onOpen } = props;
  const id = useId();
  return (
    <Stack gap={2} role="group" {...(label && { 'aria-labelledby': id })}>
      {label && (
        <Text id={id} size="xs" fw={500} c="dimmed" px="sm" pb={4}>
          {label}
        </Text>
      )}
      {sections.map((section) => (
        <SectionLink key={section.path} section={section} onOpen={onOpen} />
      ))}
    </Stack>
  );
}

function SectionLink({ section, onOpen }: { section: Section; onOpen: () => void }) {
  const isActive = isWithin(useLocation().pathname, section, useMe());
  const { path, label, icon: Icon } = section;
  return (
    <NavLink
      component={Link}
      to={path}
      label={label()}
      leftSection={<Icon size={18} strokeWidth={1.75} aria-hidden />}
      active={isActive}
      className="section-link"
      {...(isActive && { 'aria-current': 'page' })}
      onClick={onOpen}
    />
  );
}
