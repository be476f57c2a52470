// How legible an accent colour is, and the nearest shade that is legible everywhere.
import { Button, Stack, Text } from '@mantine/core';
import { contrastOf, isHexColour, TEXT_CONTRAST, textOn, toLegible } from '../../../ui/colour.ts';
import { WHITE } from '../../../ui/tokens.ts';
import { words } from '../../../words/all.ts';

function formatContrast(contrast: number): string {
  const digits = { maximumFractionDigits: 1, minimumFractionDigits: 1, roundingMode: 'floor' } as const;
  return `${new Intl.NumberFormat(document.documentElement.lang, digits).format(contrast)} : 1`;
}

export function LegibilityNotice({ colour, onUse }: { colour: string; onUse: (colour: string) => void }) {
  const texts = words.brand.edit;
  if (!isHexColour(colour)) return <div role="status" />;
  const asLink = contrastOf(colour, WHITE);
  const shade = toLegible(colour);
  return (
    <Stack gap={6} mt={6} align="flex-start" role="status">
      <Text size="sm">{texts.legible(formatContrast(contrastOf(colour, textOn(colour))))}</Text>
      {asLink < TEXT_CONTRAST && (
        <>
          <Text size="sm">{texts.linkShade(formatContrast(asLink), shade)}</Text>
          <Button size="xs" variant="default" onClick={() => onUse(shade)}>
            {texts.takeShade(shade)}
          </Button>
        </>
      )}
    </Stack>
  );
}
