// The preview of a brand: its sign-in page in light or dark mode, as wide as a phone or a desktop.
import {
  Anchor,
  Button,
  Checkbox,
  Group,
  MantineProvider,
  Paper,
  PasswordInput,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useState } from 'react';
import { type Brand, textsOf } from '../../../ui/application.ts';
import { BrandFrame } from '../../../ui/brand-frame.tsx';
import { isHexColour } from '../../../ui/colour.ts';
import { styleNonce } from '../../../ui/nonce.ts';
import { createAppTheme, createColourResolver } from '../../../ui/theme.ts';
import { words } from '../../../words/index.ts';

/** In pixels. */
const widths = { phone: 390, desktop: 1000 } as const;

type Scheme = 'light' | 'dark';
type Width = keyof typeof widths;

const PREVIEW_ID = 'brand-preview';

export function Preview({ brand }: { brand: Brand }) {
  const texts = words.brand.edit;
  const [scheme, setScheme] = useState<Scheme>('light');
  const [width, setWidth] = useState<Width>('phone');
  return (
    <Stack gap="sm" component="section" aria-labelledby="preview-title">
      <Title order={2} size="h4" id="preview-title">
        {texts.preview}
      </Title>
      <Group gap="sm">
        <SegmentedControl
          aria-label={texts.schemes.label}
          value={scheme}
          onChange={(value) => setScheme(value === 'dark' ? 'dark' : 'light')}
          data={[
            { value: 'light', label: texts.schemes.light },
            { value: 'dark', label: texts.schemes.dark },
          ]}
        />
        <SegmentedControl
          aria-label={texts.widths.label}
          value={width}
          onChange={(value) => setWidth(value === 'desktop' ? 'desktop' : 'phone')}
          data={[
            { value: 'phone', label: texts.widths.phone },
            { value: 'desktop', label: texts.widths.desktop },
          ]}
        />
      </Group>
      <Screen brand={brand} scheme={scheme} width={width} />
    </Stack>
  );
}

/** The page in its own theme, made smaller to fit. Nothing in it can be used. */
function Screen({ brand, scheme, width }: { brand: Brand; scheme: Scheme; width: Width }) {
  const { ref, width: available } = useElementSize();
  // While a colour is being typed, the last usable one stays.
  const colour = brand.colour.startsWith('#') && !isHexColour(brand.colour) ? 'blue' : brand.colour;
  const usable = {
    ...brand,
    colour,
    backgroundLight: toUsable(brand.backgroundLight),
    backgroundDark: toUsable(brand.backgroundDark),
  };
  const scale = available > 0 ? Math.min(1, available / widths[width]) : 1;
  return (
    <Paper withBorder ref={ref} role="img" aria-label={words.brand.edit.preview} style={{ overflow: 'hidden' }}>
      <div
        id={PREVIEW_ID}
        data-mantine-color-scheme={scheme}
        inert
        style={{ colorScheme: scheme, width: widths[width], zoom: scale, margin: '0 auto' }}
      >
        <MantineProvider
          theme={createAppTheme(colour)}
          cssVariablesResolver={createColourResolver(colour)}
          cssVariablesSelector={`#${PREVIEW_ID}`}
          deduplicateCssVariables={false}
          forceColorScheme={scheme}
          getRootElement={() => undefined}
          getStyleNonce={() => styleNonce}
          withGlobalClasses={false}
        >
          <SignInForm brand={usable} isNarrow={width === 'phone'} />
        </MantineProvider>
      </div>
    </Paper>
  );
}

const toUsable = (colour: string | null) => (colour !== null && isHexColour(colour) ? colour : null);

function SignInForm({ brand, isNarrow }: { brand: Brand; isNarrow: boolean }) {
  const texts = textsOf(brand);
  return (
    <BrandFrame brand={brand} height="560px" isNarrow={isNarrow}>
      <Text component="div" fz="h3" fw={700} ta="center" lh={1.3}>
        {texts?.title || words.signIn.title}
      </Text>
      {texts?.note && <Text ta="center">{texts.note}</Text>}
      <TextInput label={words.signIn.name} />
      <PasswordInput label={words.signIn.password} />
      <Checkbox label={words.signIn.stay} defaultChecked />
      <Button fullWidth>{words.signIn.submit}</Button>
      <Anchor size="sm" component="span">
        {words.signIn.forgot}
      </Anchor>
    </BrandFrame>
  );
}
