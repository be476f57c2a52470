// A line for readers of other languages: the guides are in English.
import { Text } from '@mantine/core';
import { words } from '../words/index.ts';

export const LanguageNote = () =>
  words.guide.inEnglish !== '' && (
    <Text size="sm" c="dimmed">
      {words.guide.inEnglish}
    </Text>
  );
