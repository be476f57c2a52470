// The page at every address that has none.
import { Text } from '@mantine/core';
import { CardPage } from '../ui/card-page.tsx';
import { words } from '../words/index.ts';
import { BackLinks } from './back-links.tsx';

export const NotFoundPage = () => (
  <CardPage title={words.notFound.title}>
    <Text>{words.notFound.text}</Text>
    <BackLinks />
  </CardPage>
);
