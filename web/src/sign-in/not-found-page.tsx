// The page at every address that has none.
import { Text } from '@mantine/core';
import { words } from '../words/index.ts';
import { BackLinks } from './back-links.tsx';
import { CardPage } from './card-page.tsx';

export const NotFoundPage = () => (
  <CardPage title={words.notFound.title}>
    <Text>{words.notFound.text}</Text>
    <BackLinks />
  </CardPage>
);
