// One guide, with its table of contents.
import { Anchor, Box, Flex, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation, useParams } from 'react-router';
import { Empty, LoadFailure, Loading, Page } from '../ui/page.tsx';
import { loadPart } from '../ui/part.ts';
import { NARROW } from '../ui/records.tsx';
import { words } from '../words/index.ts';
import { Blocks } from './blocks.tsx';
import { type Block, type Guide, plainText } from './document.ts';
import { loaders, titles } from './guides.ts';
import { LanguageNote } from './language-note.tsx';

export function GuidePage() {
  const { '*': name = '' } = useParams();
  const load = loaders[name];
  const { data, error, refetch } = useQuery({
    queryKey: ['guide', name],
    queryFn: () => (load ? loadPart(load) : null),
    staleTime: Number.POSITIVE_INFINITY,
  });
  useGoToPlace(data);
  return (
    <Page
      title={titles[name] ?? words.guide.unknownTitle}
      trail={[{ path: '/guide', label: words.guide.title }]}
      {...(load && { language: 'en' })}
    >
      {load && <LanguageNote />}
      {!load && <Empty>{words.guide.unknown}</Empty>}
      {load && !data && !error && <Loading rows={8} />}
      {error && <LoadFailure error={error} retry={refetch} />}
      {data && <Content guide={data} />}
    </Page>
  );
}

/** Goes to the heading that the address names, once the guide is loaded. It runs after {@link Page} has focused the title. */
function useGoToPlace(guide: Guide | null | undefined): void {
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another visit of the same place has another key.
  useEffect(() => {
    if (!guide || hash === '') return;
    const heading = document.getElementById(decodeURIComponent(hash.slice(1)));
    heading?.focus();
    heading?.scrollIntoView();
  }, [guide, hash, key]);
}

function Content({ guide: { blocks } }: { guide: Guide }) {
  const headings = blocks.filter((block) => block.kind === 'heading').filter(({ level }) => level === 2);
  return (
    <Flex gap="xl" direction={{ base: 'column', md: 'row-reverse' }} justify={{ md: 'flex-end' }} lang="en">
      {headings.length > 1 && <Contents headings={headings} />}
      <Box flex={1} miw={0} maw={780}>
        <Blocks blocks={blocks} />
      </Box>
    </Flex>
  );
}

type Heading = Extract<Block, { kind: 'heading' }>;

function Contents({ headings }: { headings: readonly Heading[] }) {
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  const title = (
    <Text span size="sm" fw={600} lang={document.documentElement.lang}>
      {words.guide.contents}
    </Text>
  );
  const links = (
    <Stack gap={6} mt={6}>
      {headings.map(({ id, content }) => (
        <Anchor key={id} href={`#${id}`} size="sm">
          {plainText(content)}
        </Anchor>
      ))}
    </Stack>
  );
  return (
    <Box component="nav" aria-label={words.guide.contents} w={isNarrow ? '100%' : 220} flex="none">
      {isNarrow ? (
        <details>
          <summary className="thumb">{title}</summary>
          {links}
        </details>
      ) : (
        <Box pos="sticky" top={76} mah="calc(100dvh - 92px)" style={{ overflowY: 'auto' }}>
          {title}
          {links}
        </Box>
      )}
    </Box>
  );
}
