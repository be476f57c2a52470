// The frame of the sign-in pages: background, logo, card and links of a brand. The preview of a brand shows it too.
import { Anchor, Box, Container, Group, Stack, Text, useComputedColorScheme } from '@mantine/core';
import type { ReactNode } from 'react';
import { at } from '../api/base-path.ts';
import { words } from '../words/index.ts';
import type { Brand } from './application.ts';
import { textOn } from './colour.ts';
import keyLogo from './latchkey.svg';

/** The height of a logo in pixels: kept while it loads, so that nothing moves. */
const LOGO_HEIGHT = 44;

/**
 * @param props.height the least height, as CSS.
 * @param props.language the choice of a language.
 */
export function BrandFrame(props: {
  brand: Brand;
  component?: 'main' | 'div';
  height: string;
  language?: ReactNode;
  children: ReactNode;
}) {
  const { brand, component = 'div', height, language, children } = props;
  const hasBackground = brand.backgroundLight !== null || brand.backgroundDark !== null;
  return (
    <Box
      className="sign-in"
      component={component}
      mih={height}
      py={{ base: 'md', sm: 64 }}
      bg={backgroundOf(brand)}
      c={textColourOf(brand)}
    >
      <Container size={hasBackground ? 472 : 440} px={20} w="100%">
        <Stack gap="xl">
          <BrandMark brand={brand} />
          {/* On a background of its own, text and links need a card to be legible. */}
          <Stack
            gap="md"
            c="var(--text)"
            {...(hasBackground && { className: 'sign-in-card' })}
            style={{ overflowWrap: 'anywhere' }}
          >
            {children}
          </Stack>
          <Group justify="space-between" gap="md">
            {language}
            <BrandLinks brand={brand} />
          </Group>
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
      <Group mih={LOGO_HEIGHT}>
        <img src={logo} alt={name} height={LOGO_HEIGHT} style={{ maxWidth: '100%', objectFit: 'contain' }} />
      </Group>
    );
  }
  return (
    <Group gap="sm" wrap="nowrap" mih={LOGO_HEIGHT}>
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
    <Group component="nav" aria-label={words.legal.label} gap="md">
      {links.map(({ kind, address }) => (
        <Anchor
          key={kind}
          href={address}
          size="xs"
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
  return `light-dark(${backgroundLight ?? 'var(--page)'}, ${backgroundDark ?? 'var(--page)'})`;
}

/** The text beside the card is black or white, whichever is legible on the background. */
function textColourOf({ backgroundLight, backgroundDark }: Brand): string {
  const on = (background: string | null) => (background === null ? 'var(--text)' : textOn(background));
  return `light-dark(${on(backgroundLight)}, ${on(backgroundDark)})`;
}
