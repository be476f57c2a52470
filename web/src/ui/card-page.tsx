// A page of one card in the middle: the layout of the sign-in pages.
import { Box, Container, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useApplication } from './application.ts';
import logo from './latchkey.svg';
import { backdrop } from './theme.ts';

/** Focuses the heading when the page is shown, so that a screen reader starts there. */
export function CardPage({ title, children }: { title: string; children: ReactNode }) {
  const { name } = useApplication();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${name}`;
    if (document.activeElement === document.body || document.activeElement === null) heading.current?.focus();
  }, [title, name]);
  return (
    <Box component="main" mih="100dvh" py={{ base: 'md', sm: 80 }} bg={backdrop}>
      <Container size={440} px="md">
        <Stack gap="lg">
          <Group gap="sm" justify="center">
            <img src={logo} alt="" width={36} height={36} />
            <Text fw={600} size="lg">
              {name}
            </Text>
          </Group>
          <Paper withBorder shadow="sm" p={{ base: 'md', sm: 'xl' }} style={{ overflowWrap: 'anywhere' }}>
            <Stack gap="md">
              <Title order={1} size="h2" ref={heading} tabIndex={-1} style={{ outline: 'none', hyphens: 'auto' }}>
                {title}
              </Title>
              {children}
            </Stack>
          </Paper>
        </Stack>
      </Container>
    </Box>
  );
}
