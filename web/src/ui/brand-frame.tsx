// The frame of the sign-in pages: background, logo, card and links of a brand. The preview of a brand shows it too.
import { Anchor, Box, Container, Group, Paper, Stack, Text, useComputedColorScheme } from '@mantine/core';
import type { ReactNode } from 'react';
import { at } from '../api/base-path.ts';
import { words } from '../words/index.ts';
import type { Brand } from './application.ts';
import { textOn } from './colour.ts';
import keyLogo from './latchkey.svg';
import { backdrop } from './theme.ts';

/** The height of a logo in pixels: kept while it loads, so that nothing moves. */
const LOGO_HEIGHT = 44;

export function BrandFrame(props: {
  brand: Brand;
  component?: 'main' | 'div';
  /** The least height, as CSS. */
  height: string;
  children: ReactNode;
}) {
  const { brand, component = 'div', height, children } = props;
  return (
    <Box
      component={component}
      mih={height}
      py={{ base: 'md', sm: 64 }}
      bg={backgroundOf(brand)}
      c={textColourOf(brand)}
      style={{ display: 'flex', flexDirection: 'column' }}
    >
      <Container size={440} px="md" w="100%">
        <Stack gap="lg">
          <BrandMark brand={brand} />
          <Paper
            withBorder
            shadow="sm"
            radius="lg"
            p={{ base: 'md', sm: 'xl' }}
            c="var(--mantine-color-text)"
            style={{ overflowWrap: 'anywhere' }}
          >
            <Stack gap="md">{children}</Stack>
          </Paper>
          <BrandLinks brand={brand} />
        </Stack>
      </Container>
    </Box>
  );
}

/** The logo; without one, the key and the name. */
function BrandMark({ brand }: { brand: Brand }) {
  const { name } = brand;
  const logo = useLogo(brand);
  if (logo !== null) {
    return (
      <Group justify="center" mih={LOGO_HEIGHT}>
        <img src={logo} alt={name} height={LOGO_HEIGHT} style={{ maxWidth: '100%', objectFit: 'contain' }} />
      </Group>
    );
  }
  return (
    <Group gap="sm" justify="center" wrap="nowrap" mih={LOGO_HEIGHT}>
      <img src={at(keyLogo)} alt="" width={32} height={32} />
      <Text fw={600} size="lg" style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Text>
    </Group>
  );
}

function BrandLinks({ brand }: { brand: Brand }) {
  const links = (['terms', 'privacy', 'support'] as const).flatMap((kind) => {
    const address = brand[kind];
    return address === null ? [] : [{ kind, address }];
  });
  if (links.length === 0) return null;
  return (
    <Group component="nav" aria-label={words.legal.label} justify="center" gap="md">
      {links.map(({ kind, address }) => (
        <Anchor
          key={kind}
          href={address}
          size="sm"
          c="inherit"
          underline="always"
          py={2}
          // The form keeps what was typed.
          {...(!address.startsWith('mailto:') && { target: '_blank', rel: 'noreferrer' })}
        >
          {words.legal[kind]}
        </Anchor>
      ))}
    </Group>
  );
}

/** Returns the address of the logo for the colour scheme, if there is one. */
export function useLogo({ logo, logoDark }: Brand): string | null {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const path = scheme === 'dark' ? (logoDark ?? logo) : logo;
  return path === null ? null : at(path);
}

/** `light-dark()` follows the colour scheme of the page, or of the preview. */
function backgroundOf({ backgroundLight, backgroundDark }: Brand): string {
  if (backgroundLight === null && backgroundDark === null) return backdrop;
  const light = backgroundLight ?? 'var(--mantine-color-gray-0)';
  return `light-dark(${light}, ${backgroundDark ?? 'var(--mantine-color-dark-8)'})`;
}

/** The text beside the card is black or white, whichever is legible on the background. */
function textColourOf({ backgroundLight, backgroundDark }: Brand): string {
  const light = backgroundLight === null ? 'var(--mantine-color-black)' : textOn(backgroundLight);
  return `light-dark(${light}, ${backgroundDark === null ? 'var(--mantine-color-white)' : textOn(backgroundDark)})`;
}
