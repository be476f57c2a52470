// The preview of a brand: its sign-in page in light or dark mode, as wide as a phone or a desktop.
import {
  Anchor,
  Button,
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
import { useLayoutEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { type Brand, plainBrand, textsOf } from '../../../ui/application.ts';
import { BrandFrame } from '../../../ui/brand-frame.tsx';
import { Check } from '../../../ui/check.tsx';
import { isHexColour } from '../../../ui/colour.ts';
import { styleNonce } from '../../../ui/nonce.ts';
import { createAppTheme, createColourResolver } from '../../../ui/theme.ts';
import { words } from '../../../words/all.ts';

/** In pixels. */
const widths = { phone: 390, desktop: 1000 } as const;

type Scheme = 'light' | 'dark';
type Width = keyof typeof widths;

/** The least height of the page, in pixels. */
const heights: Readonly<Record<Width, number>> = { phone: 640, desktop: 680 };

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

/** The page in a frame of its own, made smaller to fit. Nothing in it can be used. */
function Screen({ brand, scheme, width }: { brand: Brand; scheme: Scheme; width: Width }) {
  const { ref, width: available } = useElementSize();
  const [inside, setInside] = useState<Document>();
  const [height, setHeight] = useState(heights[width]);
  const scale = available > 0 ? Math.min(1, available / widths[width]) : 1;
  return (
    <Paper withBorder ref={ref} style={{ overflow: 'hidden' }}>
      <iframe
        title={words.brand.edit.preview}
        ref={(frame) => setInside(frame?.contentDocument ?? undefined)}
        inert
        tabIndex={-1}
        style={{
          display: 'block',
          width: widths[width],
          height: Math.max(height, heights[width]),
          margin: '0 auto',
          border: 0,
          zoom: scale,
          colorScheme: scheme,
        }}
      />
      {inside && <Inside page={inside} brand={brand} scheme={scheme} height={heights[width]} onHeight={setHeight} />}
    </Paper>
  );
}

/** Copies the style sheets of this page into the frame, and shows the form there in the theme of the brand. */
function Inside(props: {
  page: Document;
  brand: Brand;
  scheme: Scheme;
  height: number;
  onHeight: (height: number) => void;
}) {
  const { page, brand, scheme, height, onHeight } = props;
  const [isStyled, setStyled] = useState(false);
  useLayoutEffect(() => {
    page.documentElement.lang = document.documentElement.lang;
    const sheets = [...document.head.querySelectorAll('link[rel=stylesheet], style')].map((sheet) =>
      page.importNode(sheet, true),
    );
    page.head.append(...sheets);
    void Promise.all(sheets.filter(({ localName }) => localName === 'link').map(untilLoaded)).then(() =>
      setStyled(true),
    );
  }, [page]);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => onHeight(page.body.scrollHeight));
    observer.observe(page.body);
    return () => observer.disconnect();
  }, [page, onHeight]);
  // While a colour is being typed, the page shows none.
  const colour = brand.colour.startsWith('#') && !isHexColour(brand.colour) ? plainBrand.colour : brand.colour;
  const usable = {
    ...brand,
    colour,
    backgroundLight: toUsable(brand.backgroundLight),
    backgroundDark: toUsable(brand.backgroundDark),
  };
  return createPortal(
    <MantineProvider
      theme={createAppTheme(colour)}
      cssVariablesResolver={createColourResolver(colour)}
      forceColorScheme={scheme}
      getRootElement={() => page.documentElement}
      getStyleNonce={() => styleNonce}
      deduplicateCssVariables={false}
    >
      {isStyled && <SignInForm brand={usable} height={height} />}
    </MantineProvider>,
    page.body,
  );
}

/** Also ends when the file is missing. */
const untilLoaded = (sheet: Element) =>
  new Promise((resolve) => {
    sheet.addEventListener('load', resolve);
    sheet.addEventListener('error', resolve);
  });

const toUsable = (colour: string | null) => (colour !== null && isHexColour(colour) ? colour : null);

function SignInForm({ brand, height }: { brand: Brand; height: number }) {
  const texts = textsOf(brand);
  return (
    <BrandFrame brand={brand} height={`${height}px`}>
      <Text component="div" fz="h1" fw={600} lh={1.25}>
        {texts?.title || words.signIn.title}
      </Text>
      {texts?.note && <Text>{texts.note}</Text>}
      <TextInput label={words.signIn.name} />
      <PasswordInput label={words.signIn.password} />
      <Check name="staySignedIn" label={words.signIn.stay} checked onChange={() => {}} />
      <Button fullWidth>{words.signIn.submit}</Button>
      <Anchor size="sm" component="span">
        {words.signIn.forgot}
      </Anchor>
    </BrandFrame>
  );
}
