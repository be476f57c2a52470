// The page that edits the brand of a front end, with a preview of its sign-in page.
import { Alert, Anchor, Box, Group, SimpleGrid, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import { basePath } from '../../../api/base-path.ts';
import { CopyValue } from '../../../ui/copy-button.tsx';
import { LoadFailure, Loading, Page } from '../../../ui/page.tsx';
import { words } from '../../../words/all.ts';
import { BrandForm } from './brand-form.tsx';
import { keepTyped, type OwnBrand, previewOf, readBrandPage } from './own-brand.ts';
import { Preview } from './preview.tsx';

export function BrandPage() {
  const { appKey = '' } = useParams();
  const page = useQuery({
    queryKey: ['brand', appKey],
    queryFn: () => readBrandPage(appKey),
    staleTime: 0,
    // What is typed must not be replaced.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const texts = words.brand.edit;
  const trail = [{ path: '/front-ends', label: words.frontEnds.title }];
  return (
    <Page title={texts.title(page.data?.frontEnd?.name ?? appKey)} trail={trail} guide="brands">
      {page.isPending && <Loading rows={8} />}
      {page.isLoadingError && <LoadFailure error={page.error} retry={page.refetch} />}
      {page.data && !page.data.frontEnd && (
        <Alert color="yellow" variant="light" role="alert">
          {texts.missing}
        </Alert>
      )}
      {page.data?.frontEnd && <Editor key={appKey} appKey={appKey} page={page.data} name={page.data.frontEnd.name} />}
    </Page>
  );
}

function Editor(props: { appKey: string; name: string; page: Awaited<ReturnType<typeof readBrandPage>> }) {
  const { appKey, name, page } = props;
  const queries = useQueryClient();
  const [own, setOwn] = useState<OwnBrand>(page.own);
  const [base, setBase] = useState(page.own);
  // What was saved or undone. What is typed meanwhile stays, and its field keeps the focus.
  if (base !== page.own) {
    setBase(page.own);
    setOwn(keepTyped(own, base, page.own));
  }
  const texts = words.brand.edit;
  return (
    <>
      <Text>
        {texts.reason} {texts.inherits}
      </Text>
      <SignInAddress appKey={appKey} />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <BrandForm
          appKey={appKey}
          frontEndName={name}
          base={page.own}
          inherited={page.inherited}
          value={own}
          onChange={setOwn}
          onSaved={() => queries.invalidateQueries({ queryKey: ['brand', appKey] })}
        />
        <Box pos={{ md: 'sticky' }} top={76} style={{ alignSelf: 'start' }}>
          <Preview brand={previewOf(own, page.inherited)} />
        </Box>
      </SimpleGrid>
    </>
  );
}

/** The address that the front end opens for its users to sign in. */
function SignInAddress({ appKey }: { appKey: string }) {
  const texts = words.brand.edit;
  const address = `${location.origin}${basePath}/login?${new URLSearchParams({ frontEnd: appKey })}`;
  return (
    <Group gap="xs" wrap="nowrap">
      <Text size="sm">
        {words.common.labelled(texts.address, '')}
        <Anchor href={address} target="_blank" size="sm" style={{ overflowWrap: 'anywhere' }}>
          {address}
        </Anchor>
      </Text>
      <CopyValue value={address} label={texts.address} />
    </Group>
  );
}
